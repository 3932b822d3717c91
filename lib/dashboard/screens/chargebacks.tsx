import { claimOfCode } from '#core/kernel/card/scheme-reasons.ts';
import { link } from '../app/address.ts';
import { Screen } from '../app/screen.tsx';
import { translate, translateCount } from '../language/translate.ts';
import { Badge, stateWords } from '../parts/badge.tsx';
import { brandNames } from '../parts/card-text.ts';
import { Listing } from '../parts/listing.tsx';
import { amountText } from '../parts/money.ts';
import type { Filter } from '../parts/narrow-pages.ts';
import { amountFilters } from '../parts/narrow-pages.ts';
import { alertFilter, loadPages, siteFilter, spanFilters } from '../parts/pages.ts';
import { SiteName } from '../parts/site-name.tsx';
import type { Column } from '../parts/table.tsx';
import { Time, TimeLeft } from '../parts/time.tsx';
import { FeesButton } from './chargeback-fees.tsx';
import { type ChargebackRow, isContestable } from './chargeback-kinds.ts';
import { listChargebacks } from './chargeback-operations.ts';
import { chargebackReason, stageWords, statusTones } from './chargeback-words.ts';
import { reasonFilter } from './queue-filters.ts';
import { WinRates } from './win-rates-shown.tsx';

/** Processors write `mc` or `mastercard`, `amex` or `american_express`. */
const schemeStart = (network: string): string =>
  network
    .toLowerCase()
    .replace(/^(?:mc$|maestro)/, 'mastercard')
    .slice(0, 3);
const toChoices = (states: object) => Object.keys(states).map((value) => ({ value, label: stateWords(value) }));
const filters: readonly Filter<ChargebackRow>[] = [
  { name: 'status', label: translate('Status'), choices: toChoices(statusTones) },
  { name: 'stage', label: translate('Stage'), choices: toChoices(stageWords) },
  reasonFilter(({ reason_code }: ChargebackRow) => claimOfCode(reason_code)),
  {
    name: 'network',
    label: translate('Network'),
    choices: brandNames.map((name) => ({ value: name, label: name })),
    keeps: ({ network }, value) => schemeStart(network) === schemeStart(value),
  },
  ...amountFilters,
  siteFilter,
  alertFilter,
  ...spanFilters(translate('Raised')),
];

const columns: readonly Column<ChargebackRow>[] = [
  { label: translate('Amount'), isMain: true, cell: ({ amount, currency }) => amountText(amount, currency) },
  {
    label: translate('Reason'),
    isPlain: true,
    cell: (row) => (
      <>
        {chargebackReason(row)}
        <span class="beneath">
          {stateWords(row.network)} {row.reason_code}
        </span>
      </>
    ),
  },
  {
    label: translate('Status'),
    isPlain: true,
    cell: ({ status }) => <Badge state={status} tone={statusTones[status]} />,
  },
  {
    label: translate('Time left'),
    isShort: true,
    cell: (row) => <TimeLeft until={isContestable(row) ? row.due_by : null} />,
  },
  { label: translate('Evidence'), isExtra: true, cell: evidenceWords },
  {
    label: translate('Site'),
    isPlain: true,
    isExtra: true,
    cell: ({ sid }) => (sid === null ? '–' : <SiteName sid={sid} />),
  },
  { label: translate('Raised'), isExtra: true, cell: ({ opened_at }) => <Time at={opened_at} /> },
  { label: translate('Stage'), isPlain: true, isShort: true, isExtra: true, cell: ({ stage }) => stateWords(stage) },
];

function evidenceWords({ evidence_submitted_at: at, evidence_kinds: kinds }: ChargebackRow): string {
  if (at !== null) return translate('Submitted');
  return kinds.length === 0 ? '–' : translateCount(kinds.length, '{count} ready', '{count} ready');
}

const load = loadPages(listChargebacks, filters);

/** Lists chargebacks. */
export const Chargebacks = () => (
  <Screen
    title={translate('Chargebacks')}
    lede={translate('Disputes that issuers raised about your payments. Open one to contest it.')}
    actions={
      <>
        <FeesButton />
        <a class="button" href={link('/rules', { about: 'chargebacks' })}>
          {translate('Rules')}
        </a>
      </>
    }
  >
    <WinRates />
    <Listing<ChargebackRow>
      name="chargebacks"
      caption={translate('Chargebacks')}
      {...{ columns, filters, load }}
      search="chargebacks"
      csvOf={(row) => row}
      keyOf={({ chargeback_id }) => chargeback_id}
      hrefOf={({ chargeback_id }) => link(`/chargebacks/${chargeback_id}`)}
      empty={
        <p>
          {translate(
            'There are no chargebacks here. If an issuer takes money back, it appears with what wins it and when to respond. They are tracked for merchants with the service “cbm”.',
          )}
        </p>
      }
    />
  </Screen>
);
