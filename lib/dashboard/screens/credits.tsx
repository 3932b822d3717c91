import { useState } from 'preact/hooks';
import type { listCreditsOperation as ListCreditsOperation } from '#disputes/costs/api/list-credits/operation.ts';
import { link } from '../app/address.ts';
import { type RowOf, remote } from '../app/client.ts';
import type { AlertRow } from '../app/operations.ts';
import { Screen } from '../app/screen.tsx';
import { translate } from '../language/translate.ts';
import { Badge, stateWords } from '../parts/badge.tsx';
import { Listing } from '../parts/listing.tsx';
import { amountText, sumsText } from '../parts/money.ts';
import type { Filter, Load } from '../parts/narrow-pages.ts';
import { loadPages, siteFilter, spanFilters } from '../parts/pages.ts';
import type { Column } from '../parts/table.tsx';
import { ReportTabs } from '../parts/tabs.tsx';
import { Time } from '../parts/time.tsx';
import { ChangeCredit, creditReasonChoices, creditTones } from './credit.tsx';
import { creditReasons } from './credit-words.ts';
import { alertName } from './named-alerts.ts';
import { readNamedAlerts } from './read-alerts.ts';

const listCredits = remote<typeof ListCreditsOperation>({ path: '/api/v3/service_alerts/credits/list' });
type Row = RowOf<typeof ListCreditsOperation> & { alert?: AlertRow | undefined };

const creditTone = (state: Row['state']) => (state === 'none' ? 'plain' : creditTones[state]);
const filters: readonly Filter[] = [
  {
    name: 'state',
    label: translate('State'),
    choices: Object.keys(creditTones).map((value) => ({ value, label: stateWords(value) })),
  },
  { name: 'reason', label: translate('Reason'), choices: creditReasonChoices },
  siteFilter,
  ...spanFilters(translate('Alert')),
];

const loadCredits = loadPages(listCredits);

/** A page with the alerts that its credits are about. */
const load: Load<Row> = async (given, page, signal) => {
  const read = await loadCredits(given, page, signal);
  const alerts = await readNamedAlerts(
    read.list.map(({ alert_id }) => alert_id),
    signal,
  );
  return { ...read, list: read.list.map((row) => ({ ...row, alert: alerts.get(row.alert_id) })) };
};

const sumOf = (rows: readonly Row[], wanted: Row['state']): string | undefined => {
  const priced = rows.flatMap(({ state, price, currency }) =>
    state === wanted && price !== null ? [{ amount: price, currency: currency ?? '' }] : [],
  );
  return priced.length === 0 ? undefined : sumsText(priced);
};

/** The sums of the shown credits: what is claimed, and what may still be. */
const toTitle = (rows: readonly Row[]): string | undefined => {
  const [claimed, claimable] = [sumOf(rows, 'claimed'), sumOf(rows, 'claimable')];
  if (claimed && claimable) return translate('{claimed} claimed, {claimable} to claim', { claimed, claimable });
  if (claimed) return translate('{claimed} claimed from networks', { claimed });
  return claimable && translate('{claimable} to claim from networks', { claimable });
};

const toColumns = (reload: () => void): readonly Column<Row>[] => [
  {
    label: translate('Alert'),
    isMain: true,
    cell: ({ alert_id, alert }) => (alert ? alertName(alert) : String(alert_id)),
  },
  { label: translate('State'), isPlain: true, cell: ({ state }) => <Badge state={state} tone={creditTone(state)} /> },
  {
    label: translate('Reason'),
    isPlain: true,
    cell: ({ reason }) => (reason === null ? '–' : creditReasons[reason]),
  },
  {
    label: translate('Price'),
    isNumber: true,
    cell: ({ price, currency }) => (price === null ? translate('Not set') : amountText(price, currency ?? '')),
  },
  {
    label: translate('Network'),
    isPlain: true,
    isShort: true,
    isExtra: true,
    cell: ({ provider }) => stateWords(provider),
  },
  {
    label: translate('Network’s number'),
    isExtra: true,
    cell: ({ provider_case_id }) => (
      <span class="clipped" title={provider_case_id}>
        {provider_case_id}
      </span>
    ),
  },
  { label: translate('Received'), cell: ({ alert_date }) => <Time at={alert_date} /> },
  { label: translate('By'), isShort: true, isExtra: true, cell: ({ changed_by }) => changed_by },
  {
    label: translate('Action'),
    isPlain: true,
    cell: ({ alert_id, state, reason }) => <ChangeCredit alertId={alert_id} {...{ state, reason }} onDone={reload} />,
  },
];

/** Alerts whose price is, or was, to be had back. */
export const Credits = () => {
  const [version, setVersion] = useState(0);
  const [rows, setRows] = useState<readonly Row[]>([]);
  const reload = () => setVersion((before) => before + 1);
  return (
    <Screen
      title={translate('Credits')}
      heading={toTitle(rows)}
      lede={translate('Alerts you should not have been charged for: claim their price back from the network.')}
    >
      <ReportTabs at="/credits" />
      <Listing<Row>
        name="credits"
        caption={translate('Credits')}
        columns={toColumns(reload)}
        {...{ filters, load }}
        version={version}
        onRows={setRows}
        csvOf={({ evidence, alert, ...row }) => ({ ...row, evidence: JSON.stringify(evidence) })}
        keyOf={({ alert_id }) => String(alert_id)}
        hrefOf={({ alert_id }) => link(`/alerts/${alert_id}`)}
        empty={<p>{translate('No alert’s price can be claimed back.')}</p>}
      />
    </Screen>
  );
};
