import type { listChargebacksOperation as ListOperation } from '#disputes/chargebacks/api/list-chargebacks/operation.ts';
import { link } from '../app/address.ts';
import { remote } from '../app/client.ts';
import { Screen } from '../app/screen.tsx';
import { Badge, stateWords } from '../parts/badge.tsx';
import type { Filter } from '../parts/filters.tsx';
import { Listing } from '../parts/listing.tsx';
import { amountText } from '../parts/money.ts';
import { alertFilter, pagesOf, siteFilter, spanFilters } from '../parts/pages.ts';
import type { Column } from '../parts/table.tsx';
import { Time, TimeLeft } from '../parts/time.tsx';
import { type ChargebackRow, chargebackReason, isContestable, stageWords, statusTones } from './chargeback-words.ts';

export const listChargebacks = remote<typeof ListOperation>({ path: '/api/v3/service_alerts/chargebacks/list' });

const choicesOf = (states: object) => Object.keys(states).map((value) => ({ value, label: stateWords(value) }));
const filters: readonly Filter[] = [
  { name: 'status', label: 'Status', choices: choicesOf(statusTones) },
  { name: 'stage', label: 'Stage', choices: choicesOf(stageWords) },
  siteFilter,
  alertFilter,
  ...spanFilters('Raised'),
];

const columns: readonly Column<ChargebackRow>[] = [
  { label: 'Chargeback', isMain: true, cell: ({ dispute_reference }) => dispute_reference },
  { label: 'Amount', isNumber: true, cell: ({ amount, currency }) => amountText(amount, currency) },
  { label: 'Status', cell: ({ status }) => <Badge state={status} tone={statusTones[status]} /> },
  { label: 'Stage', isShort: true, cell: ({ stage }) => stateWords(stage) },
  { label: 'Reason', cell: chargebackReason },
  { label: 'Payment', isShort: true, cell: ({ txid }) => <a href={link(`/payments/${txid}`)}>{txid}</a> },
  {
    label: 'Alert',
    isShort: true,
    isExtra: true,
    cell: ({ alert_id }) => (alert_id === null ? '–' : <a href={link(`/alerts/${alert_id}`)}>{alert_id}</a>),
  },
  { label: 'Raised', isExtra: true, cell: ({ opened_at }) => <Time at={opened_at} /> },
  { label: 'Time left', isShort: true, cell: (row) => <TimeLeft until={isContestable(row) ? row.due_by : null} /> },
];

const load = pagesOf(listChargebacks);

/** What issuers took back although an alert might have prevented it. */
export const Chargebacks = () => (
  <Screen title="Chargebacks" lede="Disputes that issuers raised about your payments.">
    <Listing<ChargebackRow>
      name="chargebacks"
      caption="Chargebacks"
      {...{ columns, filters, load }}
      search="alert_id"
      csvOf={(row) => row}
      keyOf={({ chargeback_id }) => chargeback_id}
      hrefOf={({ chargeback_id }) => link(`/chargebacks/${chargeback_id}`)}
      empty={<p>There are no chargebacks. They are tracked for merchants with the service “cbm”.</p>}
    />
  </Screen>
);
