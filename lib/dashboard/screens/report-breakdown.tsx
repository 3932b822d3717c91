import type { AlertRow } from '../app/operations.ts';
import { inSentence, translate } from '../language/translate.ts';
import { cardBrand } from '../parts/card-text.ts';
import { amountText } from '../parts/money.ts';
import { countText } from '../parts/words.ts';
import { type Breakdown, breakDown, findGreatestChange, nameAnswerer } from './breakdown.ts';
import type { Rate } from './one-currency.ts';
import { type AlertsRead, newestOnly } from './read-alerts.ts';
import { claimWords, findClaim } from './reason-words.ts';
import { changeText } from './saved.tsx';

type BreakdownsProps = { now: AlertsRead; then: AlertsRead; currency: string; rates: readonly Rate[] };

/** Avoided alerts by network, reason, issuer and who answered, each against the period before. */
export const Breakdowns = ({ now, then, currency, rates }: BreakdownsProps) => {
  const groups: readonly [title: string, read: (row: AlertRow) => string][] = [
    [translate('By network'), ({ card }) => cardBrand(card) ?? translate('Not known')],
    [translate('By reason'), (row) => claimWords[findClaim(row)]],
    [translate('By issuer'), ({ issuer_name: issuer }) => issuer || translate('Not known')],
    [translate('By rule and person'), nameAnswerer],
  ];
  const tables = groups.map(([title, read]) => ({
    title,
    rows: breakDown(now.rows, then.rows, read, { currency, rates }),
  }));
  const isWhole = now.isWhole && then.isWhole;
  return (
    <>
      {isWhole && <Cause parts={tables.flatMap(({ title, rows }) => rows.map((row) => ({ ...row, title })))} />}
      <div class="breakdowns">
        {tables.map(({ title, rows }) => (
          <Table key={title} title={title} rows={rows} currency={currency} />
        ))}
      </div>
      <p class="quiet small">
        {translate('Avoided: refunded in time, by the amount claimed. The mark is the period before.')}{' '}
        {!isWhole && newestOnly()}
      </p>
    </>
  );
};

/** Names the part of all tables that changed most. */
const Cause = ({ parts }: { parts: readonly (Breakdown & { title: string })[] }) => {
  const found = findGreatestChange(parts);
  if (!found) return null;
  const { part, by, isMore } = found;
  const values = { name: part.name, table: inSentence(part.title), amount: amountText(by.amount, by.currency) };
  return (
    <p>
      {isMore
        ? translate('The greatest change {table}: {name}, {amount} more was avoided than before.', values)
        : translate('The greatest change {table}: {name}, {amount} less was avoided than before.', values)}
    </p>
  );
};

const Table = ({ title, rows, currency }: { title: string; rows: readonly Breakdown[]; currency: string }) => {
  // Used only for the length of bars, never for an amount that is shown.
  const most = Math.max(...rows.flatMap(({ present, before }) => [Number(present.amount), Number(before.amount)]), 1);
  return (
    <section class="fact">
      <h2>{title}</h2>
      {rows.length === 0 && <p class="quiet">{translate('None.')}</p>}
      <table class="ledger">
        <thead>
          <tr>
            <th scope="col">
              <span class="unseen">{title}</span>
            </th>
            <th scope="col">
              <span class="unseen">{translate('Chart')}</span>
            </th>
            <th scope="col">{translate('Avoided')}</th>
            <th scope="col">{translate('Amount')}</th>
            <th scope="col">{translate('Change')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, count, present, before, change }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td class="bar">
                <Bar at={Number(present.amount) / most} mark={Number(before.amount) / most} />
              </td>
              <td>{countText(count)}</td>
              <td>{amountText(present.amount, currency)}</td>
              <td>{changeText(change)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
};

/** A bar for this period, and a mark for the one before; the columns next to it have the figures. */
const Bar = ({ at, mark }: { at: number; mark: number }) => (
  <svg height="14" aria-hidden="true">
    <rect y="3" width={`${at * 98}%`} height="8" rx="2" />
    {mark > 0 && <line x1={`${mark * 98}%`} x2={`${mark * 98}%`} y1="0" y2="14" />}
  </svg>
);
