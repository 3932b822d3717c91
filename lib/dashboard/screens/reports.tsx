import type { alertReportOperation as AlertReportOperation } from '#disputes/reports/api/alert-report/operation.ts';
import type { ReplyOf, RowOf } from '../app/client.ts';
import { serviceNow } from '../app/clock.ts';
import { isOperator, presentMid } from '../app/merchant.ts';
import { say } from '../app/messages.tsx';
import { Screen } from '../app/screen.tsx';
import { translate, translateCount } from '../language/translate.ts';
import { Button } from '../parts/button.tsx';
import { ByMerchant } from '../parts/by-merchant.tsx';
import { Card } from '../parts/card.tsx';
import { csvName, csvText } from '../parts/csv.ts';
import { dateText, monthText } from '../parts/dates.ts';
import { DownloadIcon } from '../parts/icons.tsx';
import { useLoad } from '../parts/load.ts';
import { amountText } from '../parts/money.ts';
import { saveFile } from '../parts/save-file.ts';
import { DataTable } from '../parts/table.tsx';
import { ReportTabs } from '../parts/tabs.tsx';
import { dayText, durationText } from '../parts/times.ts';
import { Trouble } from '../parts/trouble.tsx';
import { Waiting } from '../parts/waiting.tsx';
import { countText } from '../parts/words.ts';
import { spanBefore } from './breakdown.ts';
import { Chart } from './chart.tsx';
import { everyDate } from './chart-scale.ts';
import { percentUp } from './one-currency.ts';
import { Programmes } from './programmes.tsx';
import { useRates } from './rates-used.tsx';
import { readAlerts } from './read-alerts.ts';
import { Breakdowns } from './report-breakdown.tsx';
import { Definitions } from './report-definitions.tsx';
import {
  alertCosts,
  alertReport,
  Deflections,
  type InOne,
  inOneText,
  RulesAgainstPeople,
  share,
  Tile,
  type Totals,
} from './report-parts.tsx';
import { Period, presentSpan, type Span } from './report-period.tsx';
import { changeText, pickCurrency, readSaved, SavedShown, savedSum } from './saved.tsx';

type Report = ReplyOf<typeof AlertReportOperation>;
type Row = RowOf<typeof AlertReportOperation>;

const reportCsv = (row: Row) => ({
  date: row.date,
  received: row.received,
  resolved: row.resolved,
  declined: row.declined,
  expired: row.expired,
  withdrawn: row.withdrawn,
  open: row.open,
  informational: row.informational,
  in_time: row.in_time,
  by_rule: row.by_rule,
  median_minutes_of_rules: row.answered_by.rule.median_minutes,
  median_minutes_of_people: row.answered_by.person.median_minutes,
  median_minutes: row.median_minutes,
  ...Object.fromEntries(
    (['refunded', 'refunded_elsewhere', 'prevented', 'lost'] as const).flatMap((what) =>
      row[what].map(({ currency, amount }) => [`${what}_${currency}`, amount]),
    ),
  ),
});

/** The results of alerts over time. */
export const Reports = () =>
  isOperator() && presentMid() === undefined ? (
    <Screen title={translate('Reports')}>
      <ReportTabs at="/reports" />
      <ByMerchant what={translate('Reports')}>{null}</ByMerchant>
    </Screen>
  ) : (
    <Report />
  );

const Report = () => {
  const span = presentSpan();
  const mid = presentMid();
  const body = {
    from: span.from,
    to: span.to,
    group: span.group,
    ...(span.sid !== '' && { sid: span.sid }),
    ...(isOperator() && mid !== undefined && { mid }),
  };
  const { data, error, reload } = useLoad(JSON.stringify(body), (signal) => alertReport({ body, signal }));
  const compared = useCompared(body);
  const rates = useRates();
  const inOne = { rates, currency: compared?.currency ?? pickCurrency(data?.totals.prevented ?? []) };
  const save = () => {
    if (!data) return;
    saveFile(csvName('alerts', [span.from, span.to], serviceNow()), csvText(data.list.map(reportCsv)));
    say(translateCount(data.list.length, '{count} row was saved.', '{count} rows were saved.'));
  };
  return (
    <Screen
      title={translate('Reports')}
      lede={translate('What became of your alerts, by the day they came in (UTC).')}
      heading={compared && sayChange(compared)}
      actions={
        <>
          <Button look="main" onPress={() => print()}>
            {translate('Print or save as PDF')}
          </Button>
          <Button onPress={save} disabled={!data || data.list.length === 0}>
            <DownloadIcon />
            CSV
          </Button>
        </>
      }
    >
      <ReportTabs at="/reports" />
      <Period span={span} />
      {compared && <Compared {...compared} />}
      <Trouble error={error} onRetry={reload} />
      {data ? <Figures report={data} inOne={inOne} /> : !error && <Waiting />}
      <div class="no-paper stack">
        {data && <RulesAgainstPeople totals={data.totals} inOne={inOne} />}
        <Deflections {...span} {...(body.mid !== undefined && { mid: body.mid })} inOne={inOne} />
        <Costs {...{ body, inOne }} />
        <Programmes month={span.to.slice(0, 7)} />
      </div>
    </Screen>
  );
};

/** The period and the one before it, in one currency. */
const useCompared = ({ group: _, ...span }: Pick<Span, 'from' | 'to' | 'group'> & { sid?: string; mid?: number }) => {
  const rates = useRates();
  const earlier = { ...span, ...spanBefore(span, dayText(serviceNow())) };
  const { data } = useLoad(`compared ${JSON.stringify(span)}`, async (signal) => {
    const read = async ({ from, to, sid, mid }: typeof span) =>
      readAlerts(
        { date_from: from, date_to: to, ...(sid ? { sid: [Number(sid)] } : mid !== undefined && { mid: [mid] }) },
        signal,
      );
    const [now, then, alerts, before] = await Promise.all([
      readSaved(span, signal),
      readSaved(earlier, signal),
      read(span),
      read(earlier),
    ]);
    return { now, then, alerts, before };
  });
  return (
    data && { ...data, rates, currency: pickCurrency([...data.now.totals.prevented, ...data.then.totals.prevented]) }
  );
};
type ComparedProps = NonNullable<ReturnType<typeof useCompared>>;

const sayChange = ({ now, then, rates, currency }: ComparedProps): string => {
  const [present, before] = [savedSum(now, currency, rates), savedSum(then, currency, rates)];
  const amount = amountText(present.amount, currency);
  const change = percentUp(present, before);
  if (change === undefined) return translate('{amount} saved', { amount });
  return now.fees.length > 0
    ? translate('{amount} saved after fees, {change} against the period before', { amount, change: changeText(change) })
    : translate('{amount} saved, {change} against the period before', { amount, change: changeText(change) });
};

const Compared = ({ alerts, before, ...saved }: ComparedProps) => (
  <>
    <section class="fact compared" aria-label={translate('Saved after fees')}>
      <SavedShown {...saved} isTitled />
    </section>
    <Breakdowns now={alerts} then={before} currency={saved.currency} rates={saved.rates} />
  </>
);

type CostsProps = { body: NonNullable<Parameters<typeof alertCosts>[0]['body']>; inOne: InOne };

/** The costs and savings of alerts in the period; nothing where no price is set. */
const Costs = ({ body, inOne }: CostsProps) => {
  const { data, error, reload } = useLoad(JSON.stringify(body), (signal) => alertCosts({ body, signal }));
  if (!data) return <Trouble error={error} onRetry={reload} />;
  const { alerts, spent, claimable, claimed, granted, prevented, cost_per_prevented } = data.totals;
  if (spent.length === 0) return null;
  return (
    <Card title={translate('What alerts cost')}>
      <ul class="tiles">
        <Tile
          label={translate('Spent')}
          value={inOneText(spent, inOne)}
          note={translateCount(alerts, 'on {count} alert', 'on {count} alerts')}
        />
        <Tile
          label={translate('Credited back')}
          value={inOneText(granted.amounts, inOne)}
          note={translate('{more} more to claim, {claimed} claimed', {
            more: claimable.alerts,
            claimed: claimed.alerts,
          })}
        />
        <Tile
          label={translate('Cost per prevented alert')}
          value={inOneText(cost_per_prevented, inOne)}
          note={translate('{count} prevented', { count: countText(prevented) })}
        />
      </ul>
    </Card>
  );
};

const TotalTiles = ({ totals, inOne }: { totals: Totals; inOne: InOne }) => {
  const answered = totals.resolved + totals.declined;
  const { rule, person } = totals.answered_by;
  // Visa RDR decides without an answer. Only days of older releases do not tell rules from people.
  const [part, whole] =
    rule.answered + person.answered > 0 ? [rule.answered, rule.answered + person.answered] : [totals.by_rule, answered];
  return (
    <ul class="tiles">
      <Tile label={translate('Alerts')} value={countText(totals.received)} note={sayTypes(totals)} />
      <Tile
        label={translate('Answered in time')}
        value={share(totals.in_time, answered + totals.expired)}
        note={translate('{part} of {whole}', { part: totals.in_time, whole: answered + totals.expired })}
      />
      <Tile
        label={translate('Median time to answer')}
        value={totals.median_minutes === null ? '–' : durationText(totals.median_minutes * 60_000)}
        note={translate('or less')}
      />
      <Tile
        label={translate('Answered by rules')}
        value={share(part, whole)}
        note={translate('{part} of {whole}', { part, whole })}
      />
      <Tile
        label={translate('Refunded')}
        value={inOneText(totals.refunded, inOne)}
        note={translate('through Forewarn, or by a network')}
      />
      <Tile
        label={translate('Refunded elsewhere')}
        value={inOneText(totals.refunded_elsewhere, inOne)}
        note={translate('according to answers')}
      />
      <Tile
        label={translate('Not answered')}
        value={countText(totals.expired)}
        note={translate('{open} still open', { open: totals.open })}
      />
    </ul>
  );
};

const Figures = ({ report: { list, totals }, inOne }: { report: Report; inOne: InOne }) => {
  return (
    <>
      <TotalTiles {...{ totals, inOne }} />
      <div class="no-paper stack">
        {list.length > 0 && <OverTime list={list} />}
        <DataTable<Row>
          caption={translate('Alerts by the day or month in which they came in')}
          rows={list}
          keyOf={({ date }) => date}
          empty={<p>{translate('There were no alerts then.')}</p>}
          columns={[
            {
              label: translate('When'),
              isMain: true,
              cell: ({ date }) => (date.length > '2026-05'.length ? dateText(date) : monthText(date)),
            },
            { label: translate('Alerts'), isNumber: true, cell: ({ received }) => received },
            { label: translate('Resolved'), isNumber: true, cell: ({ resolved }) => resolved },
            { label: translate('Declined'), isNumber: true, cell: ({ declined }) => declined },
            { label: translate('Expired'), isNumber: true, cell: ({ expired }) => expired },
            { label: translate('Withdrawn'), isNumber: true, isExtra: true, cell: ({ withdrawn }) => withdrawn },
            { label: translate('In time'), isNumber: true, cell: ({ in_time }) => in_time },
            { label: translate('Refunded'), isNumber: true, cell: ({ refunded }) => inOneText(refunded, inOne) },
            {
              label: translate('Refunded elsewhere'),
              isExtra: true,
              isNumber: true,
              cell: ({ refunded_elsewhere: elsewhere }) => inOneText(elsewhere, inOne),
            },
            {
              label: translate('Prevented'),
              isExtra: true,
              isNumber: true,
              cell: ({ prevented }) => inOneText(prevented, inOne),
            },
          ]}
        />
      </div>
      <Definitions />
    </>
  );
};

/** Days without alerts are 0; future days are left out. */
const OverTime = ({ list }: { list: readonly Row[] }) => {
  const { from, to, group } = presentSpan();
  const today = dayText(serviceNow());
  const [until = to] = [to, today].sort();
  const dates = everyDate(from, until, group === 'month' ? 'month' : 'day');
  const byDate = new Map(list.map((row) => [row.date, row]));
  const valuesOf = (name: 'received' | 'resolved' | 'declined') => dates.map((date) => byDate.get(date)?.[name] ?? 0);
  return (
    <Card title={translate('Over time')}>
      <Chart
        label={translate(
          'Alerts by day or month: received, resolved and declined. The table below has the same figures.',
        )}
        dates={dates}
        series={[
          { label: translate('Received'), values: valuesOf('received'), tone: 'act' },
          { label: translate('Resolved'), values: valuesOf('resolved'), tone: 'good' },
          { label: translate('Declined'), values: valuesOf('declined'), tone: 'warn' },
        ]}
      />
    </Card>
  );
};

const typeTexts: Readonly<Record<string, (count: number) => string>> = {
  DISPUTE: (count) => translateCount(count, '{count} dispute', '{count} disputes'),
  DISPUTE_RDR: (count) => translateCount(count, '{count} RDR decision', '{count} RDR decisions'),
  DISPUTE_NOTICE: (count) => translateCount(count, '{count} notice of a dispute', '{count} notices of disputes'),
  CANCEL: (count) => translateCount(count, '{count} cancellation', '{count} cancellations'),
  FRAUD_NOTICE: (count) => translateCount(count, '{count} fraud report', '{count} fraud reports'),
  FRAUD: (count) => translateCount(count, '{count} fraud alert', '{count} fraud alerts'),
};

const sayTypes = ({ by_type }: Totals): string =>
  Object.entries(by_type)
    .map(([type, count]) => typeTexts[type]?.(count) ?? `${countText(count)} ${type}`)
    .join(', ');
