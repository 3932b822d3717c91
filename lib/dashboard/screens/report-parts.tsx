import type { ComponentChildren } from 'preact';
import type { alertCostsOperation as AlertCostsOperation } from '#disputes/costs/api/alert-costs/operation.ts';
import type { lookupReportOperation as LookupReportOperation } from '#disputes/lookups/api/lookup-report/operation.ts';
import type { alertReportOperation as AlertReportOperation } from '#disputes/reports/api/alert-report/operation.ts';
import { type ReplyOf, remote } from '../app/client.ts';
import { translate, translateCount } from '../language/translate.ts';
import { Card } from '../parts/card.tsx';
import { useLoad } from '../parts/load.ts';
import { amountText, type Sum } from '../parts/money.ts';
import { DataTable } from '../parts/table.tsx';
import { durationText } from '../parts/times.ts';
import { Trouble } from '../parts/trouble.tsx';
import { countText, percentText } from '../parts/words.ts';
import { partsInOne, type Rate } from './one-currency.ts';

/** The operations of reports. */

export const alertReport = remote<typeof AlertReportOperation>({ path: '/api/v3/reports/alerts' });
export type Totals = ReplyOf<typeof AlertReportOperation>['totals'];
export const alertCosts = remote<typeof AlertCostsOperation>({ path: '/api/v3/reports/alert-costs' });
const lookupReport = remote<typeof LookupReportOperation>({ path: '/api/v3/orders/lookups/report' });

export const Tile = ({ label, value, note }: { label: string; value: ComponentChildren; note?: string }) => (
  <li class="tile">
    <span class="quiet">{label}</span>
    <strong>{value}</strong>
    {note && <span class="small quiet">{note}</span>}
  </li>
);

export const share = (part: number, whole: number): string =>
  whole === 0 ? '–' : percentText(Math.round((part / whole) * 100));

export const amounts = (sums: Totals['refunded']) =>
  sums.length === 0 ? (
    '–'
  ) : (
    <span>
      {sums.map(({ amount, currency }) => (
        <span key={currency} class="amount">
          {amountText(amount, currency)}
        </span>
      ))}
    </span>
  );

/** The one currency of a report, and the rates by which others are in it. */
export type InOne = { currency: string; rates: readonly Rate[] };

/** A total in one currency; what has no rate stands next to it. */
export const inOneText = (sums: readonly Sum[], { currency, rates }: InOne): string =>
  sums.length === 0
    ? '–'
    : partsInOne(sums, currency, rates)
        .map((one) => amountText(one.amount, one.currency))
        .join(' + ');

/** The upper end of the class of the median, within which half were answered. */
const medianText = (minutes: number | null): string => (minutes === null ? '–' : durationText(minutes * 60_000));

type Answered = { who: string } & Totals['answered_by']['rule'];

/** The answers of rules next to all others. */
export const RulesAgainstPeople = ({ totals, inOne }: { totals: Totals; inOne: InOne }) => {
  const { answered_by, by_rule, resolved, declined } = totals;
  if (answered_by.rule.answered + answered_by.person.answered === 0) return null;
  // Days counted before reports distinguished rules from people are missing in `answered_by` until they are counted again.
  const untold = resolved + declined - answered_by.rule.answered - answered_by.person.answered;
  const rows: readonly Answered[] = [
    { who: translate('Rules'), ...answered_by.rule },
    { who: translate('People'), ...answered_by.person },
  ];
  return (
    <Card title={translate('Rules and people')}>
      <DataTable<Answered>
        caption={translate('What rules answered, and what people did')}
        rows={rows}
        keyOf={({ who }) => who}
        columns={[
          { label: translate('Answered by'), isMain: true, cell: ({ who }) => who },
          { label: translate('Alerts'), isNumber: true, cell: ({ answered }) => countText(answered) },
          { label: translate('Resolved'), isNumber: true, cell: (row) => share(row.resolved, row.answered) },
          { label: translate('Declined'), isNumber: true, cell: (row) => share(row.declined, row.answered) },
          { label: translate('In time'), isNumber: true, cell: ({ in_time, answered }) => share(in_time, answered) },
          { label: translate('Half answered within'), isNumber: true, cell: (row) => medianText(row.median_minutes) },
          { label: translate('Refunded'), isNumber: true, cell: ({ refunded }) => inOneText(refunded, inOne) },
        ]}
      />
      {untold > 0 && by_rule > answered_by.rule.answered && (
        <p class="small quiet">
          {translateCount(
            untold,
            '{count} answer of earlier days is not yet told apart.',
            '{count} answers of earlier days are not yet told apart.',
          )}
        </p>
      )}
    </Card>
  );
};

type Asked = { from: string; to: string; sid: string; mid?: number; inOne: InOne };

/** Banks' questions before a dispute, and how often none followed; nothing without questions. */
export const Deflections = ({ from, to, sid, mid, inOne }: Asked) => {
  const body = {
    ...{ date_from: from, date_to: to },
    ...(sid !== '' && { sid: Number(sid) }),
    ...(mid !== undefined && { mid }),
  };
  const { data, error, reload } = useLoad(`lookups ${JSON.stringify(body)}`, (signal) =>
    lookupReport({ body, signal }),
  );
  if (!data) return <Trouble error={error} onRetry={reload} />;
  if (data.lookups === 0) return null;
  const { lookups, found, found_rate, deflected, disputed, open, saved, saved_is_whole, ce3_qualified } = data;
  return (
    <Card title={translate('Deflections')} actions={<a href="#/lookups">{translate('Look-ups')}</a>}>
      <ul class="tiles">
        <Tile
          label={translate('Orders found')}
          value={found_rate === null ? '–' : percentText(found_rate)}
          note={translateCount(lookups, '{found} of {count} look-up', '{found} of {count} look-ups', {
            found: countText(found),
          })}
        />
        <Tile
          label={translate('Deflected')}
          value={countText(deflected)}
          note={translate('{disputed} disputed after all, {open} not over yet', {
            disputed: countText(disputed),
            open: countText(open),
          })}
        />
        <Tile
          label={translate('Amount deflected')}
          value={inOneText(saved, inOne)}
          note={saved_is_whole ? translate('each order once') : translate('of the newest only')}
        />
        <Tile
          label={translate('With evidence (CE 3.0)')}
          value={countText(ce3_qualified)}
          note={translate('of those found')}
        />
      </ul>
    </Card>
  );
};
