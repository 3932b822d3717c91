import { claimOfCode } from '#core/kernel/card/scheme-reasons.ts';
import { address, link } from '../app/address.ts';
import { minute } from '../app/clock.ts';
import { ofMerchant, presentMid } from '../app/merchant.ts';
import { translate, translateCount } from '../language/translate.ts';
import { Badge, stateWords } from '../parts/badge.tsx';
import { CardNumber } from '../parts/card-number.tsx';
import { brandNames } from '../parts/card-text.ts';
import { Listing } from '../parts/listing.tsx';
import { useLoad } from '../parts/load.ts';
import { amountText, sumsText } from '../parts/money.ts';
import { type ListShown, MoneyList, MoneyRows } from '../parts/money-list.tsx';
import type { Filter } from '../parts/narrow-pages.ts';
import { amountFilters } from '../parts/narrow-pages.ts';
import { alertFilter, loadPages, siteFilter, spanFilters } from '../parts/pages.ts';
import { type Anchor, RowLines } from '../parts/pane-rows.tsx';
import { Ring } from '../parts/ring.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { ChargebackPane } from './chargeback.tsx';
import { FeesButton } from './chargeback-fees.tsx';
import { type ChargebackRow, sayDue, weekMilliseconds } from './chargeback-kinds.ts';
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
  reasonFilter(({ reason_code }: ChargebackRow) => claimOfCode(reason_code)),
  {
    name: 'network',
    label: translate('Network'),
    choices: brandNames.map((name) => ({ value: name, label: name })),
    keeps: ({ network }, value) => schemeStart(network) === schemeStart(value),
  },
  ...amountFilters,
  { name: 'stage', label: translate('Stage'), choices: toChoices(stageWords) },
  siteFilter,
  alertFilter,
  ...spanFilters(translate('Raised')),
];

const tabs = [
  { name: 'open', label: translate('To answer'), status: ['open'] },
  { name: 'review', label: stateWords('under_review'), status: ['under_review'] },
  { name: 'decided', label: translate('Decided'), status: ['won', 'lost', 'accepted', 'refunded_by_network'] },
  { name: 'all', label: translate('All'), status: undefined },
] as const;
type Tab = (typeof tabs)[number];
const presentTab = (): Tab => tabs.find(({ name }) => name === address.value.query.get('tab')) ?? tabs[0];

const loadTab = ({ status }: Tab) =>
  loadPages<Parameters<typeof listChargebacks>[0]['body'], ChargebackRow>(
    ({ body, ...call }) => listChargebacks({ ...call, body: { ...body, ...(status && { status: [...status] }) } }),
    filters,
  );

const maxRead = 500;

/** The answers that are due, as the title; undefined until they were read, or if they are too many to be read. */
const useTitle = (version: number): string | undefined => {
  const { data } = useLoad(`open ${presentMid()} ${version}`, (signal) =>
    listChargebacks({ body: { ...ofMerchant(), status: ['open'], size: maxRead }, signal }),
  );
  if (!data || data.next_cursor !== null) return undefined;
  return sayDue(data.list, minute.value);
};

const dueGroup = ({ due_by: by, status }: ChargebackRow, now: number): string => {
  if (status !== 'open' || by === null) return '';
  const left = Date.parse(by) - now;
  if (left <= 0) return translate('Past the deadline');
  return left <= weekMilliseconds ? translate('Due this week') : translate('Due later');
};

/** Those that are due first on top; all others after them, newest first, as they come. */
const byDueTime = (rows: readonly ChargebackRow[]): ChargebackRow[] => {
  const sortKey = ({ status, due_by: by }: ChargebackRow) => (status === 'open' ? (by ?? '9998') : '9999');
  return rows.toSorted((left, right) => (sortKey(left) < sortKey(right) ? -1 : sortKey(left) > sortKey(right) ? 1 : 0));
};

const idOf = ({ chargeback_id }: ChargebackRow): string => chargeback_id;

/** Chargebacks by what is due, and all about one of them. */
export const Chargebacks = () => (
  <MoneyList
    title={translate('Chargebacks')}
    useHeading={useTitle}
    field="chargeback"
    {...{ idOf, List }}
    Pane={ChargebackPane}
    none={[
      translate('No chargeback is open'),
      translate('Choose one on the left to see what wins it, and what proves it.'),
    ]}
  />
);

const emptyWords = translate(
  'There are no chargebacks here. If an issuer takes money back, it appears with what wins it and when to respond. They are tracked for merchants with the service “cbm”.',
);

const List = ({ heading, id, version, onShown }: ListShown<ChargebackRow>) => {
  const tab = presentTab();
  return (
    <Listing<ChargebackRow>
      name={`chargebacks-${tab.name}`}
      caption={translate('Chargebacks')}
      {...{ heading, filters, version }}
      load={loadTab(tab)}
      search="chargebacks"
      csvOf={(row) => ({ ...row, items: row.items.join(', '), evidence_kinds: row.evidence_kinds.join(' ') })}
      tabs={<Above tab={tab} />}
      more={
        <>
          <a href={link('/rules', { about: 'chargebacks' })}>{translate('Rules')}</a>
          <FeesButton />
        </>
      }
      keyOf={idOf}
      onRows={(all) => onShown(byDueTime(all))}
      render={(all) => (
        <MoneyRows
          label={translate('Chargebacks: {list}', { list: tab.label })}
          rows={byDueTime(all)}
          at={({ opened_at: at }) => at}
          groupOf={(row) => dueGroup(row, minute.value)}
          sumOf={(members) =>
            translateCount(members.length, '{count} chargeback, {amount}', '{count} chargebacks, {amount}', {
              amount: sumsText(members),
            })
          }
          field="chargeback"
          openId={id}
          hasRings
          {...{ Inside, idOf }}
        />
      )}
      empty={<p>{tab.name === 'all' ? emptyWords : translate('There are no such chargebacks.')}</p>}
    />
  );
};

const Above = ({ tab }: { tab: Tab }) => (
  <>
    <Tabs
      label={translate('Which chargebacks')}
      tabs={tabs.map(({ name, label }) => ({
        href: link('/chargebacks', { tab: name === 'open' ? '' : name }),
        label,
        isPresent: name === tab.name,
      }))}
    />
    {tab.name === 'decided' && <WinRates />}
  </>
);

const evidenceWords = ({ evidence_kinds: kinds }: ChargebackRow): string =>
  kinds.length === 0 ? translate('No file yet') : translateCount(kinds.length, '{count} file', '{count} files');

const Inside = ({ row, anchor }: { row: ChargebackRow; anchor: Anchor }) => {
  const amount = amountText(row.amount, row.currency);
  return (
    <>
      {row.status === 'open' && row.due_by !== null ? <Ring from={row.opened_at} until={row.due_by} /> : <span />}
      <RowLines
        anchor={anchor}
        title={chargebackReason(row)}
        unseen={translate('{amount}, chargeback {id}', { amount, id: row.chargeback_id })}
        amount={amount}
        who={
          <>
            {row.card ? <CardNumber card={row.card} /> : stateWords(row.network)}
            {[row.buyer, row.items.join(', ')].filter(Boolean).map((words) => `, ${words}`)}
          </>
        }
        marks={
          row.status === 'open' ? (
            <span class="badge line">{evidenceWords(row)}</span>
          ) : (
            <Badge state={row.status} tone={statusTones[row.status]} />
          )
        }
      />
    </>
  );
};
