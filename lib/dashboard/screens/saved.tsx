import { serviceNow } from '../app/clock.ts';
import { ofMerchant } from '../app/merchant.ts';
import { translate } from '../language/translate.ts';
import { dateText, spanText } from '../parts/dates.ts';
import { amountText, type Sum, sumByCurrency } from '../parts/money.ts';
import { dayText } from '../parts/times.ts';
import { percentText } from '../parts/words.ts';
import { everyDate } from './chart-scale.ts';
import { negate, type OneSum, percentUp, type Rate, sumInOne } from './one-currency.ts';
import { RatesUsed } from './rates-used.tsx';
import { alertCosts, alertReport } from './report-parts.tsx';

/** The amount that refunds in time have saved, less the fees for alerts, and that of a period before. */

type Span = { from: string; to: string; sid?: string; mid?: number };
export type Saved = Span & Awaited<ReturnType<typeof readSaved>>;

export const readSaved = async (span: Span, signal?: AbortSignal) => {
  const call = { body: { ...ofMerchant(), ...span }, ...(signal && { signal }) };
  const [report, costs] = await Promise.all([alertReport(call), alertCosts(call)]);
  return { ...span, list: report.list, totals: report.totals, fees: costs.totals.spent };
};

export type SavedProps = { now: Saved; then: Saved; currency: string | undefined; rates: readonly Rate[] };

/** The currency of the most money that was saved. */
export const pickCurrency = (prevented: readonly Sum[]): string =>
  prevented.toSorted((left, right) => Number(right.amount) - Number(left.amount))[0]?.currency ?? 'USD';

export const changeText = (change: number | undefined): string =>
  change === undefined ? '–' : `${change > 0 ? '+' : change < 0 ? '−' : ''}${percentText(Math.abs(change))}`;

const afterFees = ({ totals, fees }: Saved): readonly Sum[] => [...totals.prevented, ...negate(fees)];

/** The amount saved after fees, in one currency. */
export const savedSum = (saved: Saved, currency: string, rates: readonly Rate[]): Sum =>
  sumInOne(afterFees(saved), currency, rates).total;

type Line = { label: string; read: (saved: Saved) => readonly Sum[]; look?: string };

/** One sum, its parts, and the change of each. `isTitled`: the screen's title has the sum already. */
export const SavedShown = ({ isTitled = false, ...props }: SavedProps & { isTitled?: boolean }) => {
  const { now, then, rates } = props;
  const currency = props.currency ?? pickCurrency([...now.totals.prevented, ...props.then.totals.prevented]);
  const inOne = (sums: readonly Sum[]): OneSum => sumInOne(sums, currency, rates);
  const isPriced = now.fees.length > 0;
  const lines: readonly Line[] = [
    {
      label: translate('Chargebacks avoided by refunds in time'),
      read: ({ totals }) => totals.prevented,
      look: 'good',
    },
    ...(isPriced ? [{ label: translate('Alert fees'), read: ({ fees }: Saved) => negate(fees), look: 'spent' }] : []),
  ];
  const sumLost = ({ totals }: Saved) => inOne(totals.lost).total;
  const total = inOne(afterFees(now));
  return (
    <>
      {!isTitled && (
        <p class="saved-figure">
          {amountText(total.total.amount, currency)}{' '}
          <span class="quiet">{isPriced ? translate('after fees') : translate('no prices are set')}</span>
        </p>
      )}
      <Growing {...props} currency={currency} />
      <table class="ledger">
        <thead>
          <tr>
            <th scope="col">{spanText(now.from, endOfDays(now))}</th>
            <th scope="col">{translate('Amount')}</th>
            <th scope="col">{spanText(then.from, then.to)}</th>
            <th scope="col">{translate('Change')}</th>
          </tr>
        </thead>
        <tbody>
          {lines.map(({ label, read, look }) => (
            <LedgerLine
              key={label}
              {...{ label, look, currency }}
              now={inOne(read(now)).total}
              then={inOne(read(then)).total}
            />
          ))}
        </tbody>
        {isPriced && (
          <tfoot>
            <LedgerLine
              label={translate('Saved after fees')}
              now={total.total}
              then={inOne(afterFees(then)).total}
              {...{ currency }}
            />
          </tfoot>
        )}
      </table>
      {Number(sumLost(now).amount) + Number(sumLost(then).amount) > 0 && (
        <p class="small quiet">
          {translate(
            'Lost, and no part of the sum: {now}; {before} before. These expired, or were charged back first.',
            {
              now: amountText(sumLost(now).amount, currency),
              before: amountText(sumLost(then).amount, currency),
            },
          )}
        </p>
      )}
      {isTitled && afterFees(now).some((sum) => sum.currency !== currency) && (
        <ByCurrency sums={sumByCurrency(afterFees(now))} {...{ currency, rates }} />
      )}
      <RatesUsed {...total} />
    </>
  );
};

type ByCurrencyProps = { sums: readonly Sum[]; currency: string; rates: readonly Rate[] };

/** The parts of a total by currency; one without a rate is no part of it. */
const ByCurrency = ({ sums, currency, rates }: ByCurrencyProps) => (
  <table class="ledger">
    <thead>
      <tr>
        <th scope="col">{translate('By currency')}</th>
        <th scope="col">{translate('Saved')}</th>
        <th scope="col">{translate('In {currency}', { currency })}</th>
      </tr>
    </thead>
    <tbody>
      {sums.map((sum) => {
        const { total, left } = sumInOne([sum], currency, rates);
        return (
          <tr key={sum.currency}>
            <th scope="row">{sum.currency}</th>
            <td>{amountText(sum.amount, sum.currency)}</td>
            <td>{left.length > 0 ? '–' : amountText(total.amount, currency)}</td>
          </tr>
        );
      })}
    </tbody>
  </table>
);

/** A fee stands below zero; its change is that of its size. */
const withoutSign = (sum: Sum): Sum => ({ ...sum, amount: sum.amount.replace(/^-/, '') });

type LedgerProps = { label: string; look?: string | undefined; now: Sum; then: Sum; currency: string };

const LedgerLine = ({ label, look, now, then, currency }: LedgerProps) => (
  <tr>
    <th scope="row">{label}</th>
    <td class={look}>{amountText(now.amount, currency)}</td>
    <td class="quiet">{amountText(then.amount, currency)}</td>
    <td>{changeText(percentUp(withoutSign(now), withoutSign(then)))}</td>
  </tr>
);

/** The last day of a period that has begun: future days have no figures. */
const endOfDays = ({ to }: Span): string => [to, dayText(serviceNow())].sort()[0] ?? to;

/** The avoided amount of a period, grown from day to day; in numbers, which only place a line. */
const sumDaily = ({ list, ...span }: Saved, currency: string, rates: readonly Rate[]): number[] => {
  const byDate = new Map(
    list.map(({ date, prevented }) => [date, Number(sumInOne(prevented, currency, rates).total.amount)]),
  );
  let sum = 0;
  return everyDate(span.from, endOfDays(span), 'day').map((date) => {
    sum += byDate.get(date) ?? 0;
    return sum;
  });
};

/** Two lines from day to day: this period, and the one before. */
const Growing = ({ now, then, currency, rates }: SavedProps & { currency: string }) => {
  const [present, before] = [sumDaily(now, currency, rates), sumDaily(then, currency, rates)];
  const most = Math.max(...present, ...before);
  const days = Math.max(present.length, before.length) - 1;
  if (most === 0 || days < 1) return null;
  const nameLine = (name: string, { totals }: Saved): string =>
    `${name}, ${amountText(sumInOne(totals.prevented, currency, rates).total.amount, currency)}`;
  const points = (values: readonly number[]): string =>
    values.map((value, day) => `${day},${((1 - value / most) * 100).toFixed(1)}`).join(' ');
  return (
    <figure class="growing">
      <figcaption class="small quiet">{translate('Avoided from day to day')}</figcaption>
      <svg
        viewBox={`0 0 ${days} 100`}
        preserveAspectRatio="none"
        height="76"
        role="img"
        aria-label={translate('Avoided from day to day; the sums are below.')}
      >
        <polyline class="before" points={points(before)} />
        <polyline points={points(present)} />
      </svg>
      <p class="ends small quiet" aria-hidden="true">
        <span>{dateText(now.from)}</span>
        <span>{dateText(endOfDays(now))}</span>
      </p>
      <ul class="keys" aria-hidden="true">
        <li class="now">{nameLine(translate('This period'), now)}</li>
        <li class="then">{nameLine(translate('The period before'), then)}</li>
      </ul>
    </figure>
  );
};
