import { useEffect, useState } from 'preact/hooks';
import { address, link } from '../app/address.ts';
import { presentMid } from '../app/merchant.ts';
import { say } from '../app/messages.tsx';
import { type AlertRow, answerAlert } from '../app/operations.ts';
import { revision } from '../app/pulse.ts';
import { Screen } from '../app/screen.tsx';
import { Badge, stateWords } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { useFetched } from '../parts/fetched.tsx';
import type { Filter } from '../parts/filters.tsx';
import { RelatedIcon } from '../parts/icons.tsx';
import { Listing, type Page, type PageAsked } from '../parts/listing.tsx';
import { amountText } from '../parts/money.ts';
import { siteFilter, spanFilters } from '../parts/pages.ts';
import type { Column } from '../parts/table.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { Time, TimeLeft } from '../parts/time.tsx';
import { AnswerDialog } from './answer.tsx';
import { BulkRefund } from './bulk-refund.tsx';
import { loadNarrowed, type Tab, tabs } from './inbox-lists.ts';
import type { RelatedDialog } from './related.tsx';

const isAwaited = ({ status, deadline }: AlertRow): boolean =>
  deadline !== null && ['OPEN', 'WIP', 'OTHER'].includes(status);

const statusColumn: Column<AlertRow> = { label: 'Status', cell: ({ status }) => <Badge state={status} /> };

const receivedColumn: Column<AlertRow> = {
  label: 'Received',
  isExtra: true,
  cell: ({ alert_date }) => <Time at={alert_date} />,
};
const leftColumn: Column<AlertRow> = {
  label: 'Time left',
  isShort: true,
  cell: (row) => <TimeLeft until={isAwaited(row) ? row.deadline : null} />,
};

/** What is worth its room: no status where all have the same, no time left where nothing is awaited. */
const momentsOf = (tab: Tab): readonly Column<AlertRow>[] => {
  if (isOpenTab(tab)) return tab.name === 'open' ? [receivedColumn, leftColumn] : [statusColumn, leftColumn];
  return tab.name === 'inform' ? [receivedColumn] : [receivedColumn, statusColumn];
};

const isOpenTab = ({ name }: Tab): boolean => name === 'open' || name === 'soon' || name === 'progress';

const columnsOf = (tab: Tab, showRelated: (alertId: number) => void): readonly Column<AlertRow>[] => [
  { label: 'Alert', isMain: true, cell: ({ alert_id }) => String(alert_id) },
  {
    label: 'Type',
    isShort: true,
    cell: ({ alert_type, test }) => (
      <span>
        {stateWords(alert_type)} {test && <Badge state="TEST" tone="plain" />}
      </span>
    ),
  },
  { label: 'Amount', isNumber: true, cell: ({ amount, currency }) => amountText(amount, currency) },
  { label: 'Card', isShort: true, cell: ({ card }) => <span class="code">{card || '–'}</span> },
  {
    label: 'Descriptor',
    cell: (row) => (
      <span>
        {row.descriptor}
        <span class="beneath">{presentMid() === undefined ? `${row.retailer}: ${row.site}` : row.site}</span>
        <Known {...row} />
      </span>
    ),
  },
  ...momentsOf(tab),
  {
    label: 'Related',
    isIcon: true,
    cell: ({ alert_id }) => <Related alertId={alert_id} onPress={() => showRelated(alert_id)} />,
  },
];

/** The payment that is held for an alert, and what a rule said of it: in few words, with more behind them. */
const Known = ({ held_txid, rule, refunded_by }: AlertRow) => (
  <>
    {refunded_by === 'merchant' && <span class="beneath">Refund reported by merchant</span>}
    {held_txid && (
      <a class="beneath" href={link(`/payments/${held_txid}`)} title={`Payment ${held_txid}`}>
        Payment held
      </a>
    )}
    {rule && (
      <a class="beneath" href={link(`/rules/${rule.rule_id}`)} title={rule.name}>
        Rule: {[rule.result, rule.reason ?? []].flat().map(stateWords).join(', ').toLowerCase()}
      </a>
    )}
  </>
);

const held: { value?: typeof RelatedDialog } = {};
const loadRelated = async () => (await import('./later.ts')).RelatedDialog;

const Related = ({ alertId, onPress }: { alertId: number; onPress: () => void }) => (
  <Button
    look="bare"
    aria-label={`Related to ${alertId}`}
    title="Its payment, order and notifications"
    aria-haspopup="dialog"
    onPress={onPress}
  >
    <RelatedIcon />
    <span class="word">Related</span>
  </Button>
);

/** What belongs to an alert, over the list, so that nobody loses their place in it. */
const RelatedOver = (props: { alertId: number; onClose: () => void }) => {
  const { value: Panel, error } = useFetched(held, loadRelated);
  useEffect(() => {
    if (error === undefined) return;
    say('The page could not load what it needs for that. Check your connection.', 'bad');
    props.onClose();
  }, [error]);
  return Panel ? <Panel {...props} /> : null;
};

const types = ['FRAUD', 'DISPUTE', 'CANCEL', 'DISPUTE_RDR', 'FRAUD_NOTICE', 'DISPUTE_NOTICE'];
const filters: readonly Filter[] = [
  { name: 'alert_type', label: 'Type', choices: types.map((value) => ({ value, label: stateWords(value) })) },
  { name: 'card_lastfour', label: 'Card ends in', hint: 'Four digits' },
  { name: 'amount', label: 'Amount', hint: 'Such as 361.56' },
  siteFilter,
  ...spanFilters('Received'),
];

const csvOf = (row: AlertRow) => ({
  alert_id: row.alert_id,
  received: row.alert_date,
  type: row.alert_type,
  status: row.status,
  reason_code: row.reason_code,
  deadline: row.deadline,
  amount: row.amount,
  currency: row.currency,
  card: row.card,
  descriptor: row.descriptor,
  site: row.site,
  retailer: row.retailer,
  issuer: row.issuer_name,
  arn: row.arn,
  provider: row.provider,
  held_txid: row.held_txid,
  refunded_by: row.refunded_by,
  rule: row.rule?.name,
  rule_result: row.rule?.result,
  rule_reason: row.rule?.reason,
});

const presentTab = (): Tab => tabs.find(({ name }) => name === address.value.query.get('tab')) ?? tabs[0];

/** The alerts, those first whose answer is due first. */
export const Inbox = () => {
  const tab = presentTab();
  const news = useNews();
  const [related, setRelated] = useState<number>();
  const isOpen = isOpenTab(tab);
  const load = (given: Record<string, string>, page: PageAsked, signal?: AbortSignal): Promise<Page<AlertRow>> =>
    loadNarrowed(tab, given, page, signal);
  return (
    <Screen title="Inbox" lede="Alerts from the card networks. Answer each before its deadline.">
      <Tabs
        label="Which alerts"
        tabs={tabs.map(({ name, label }) => ({ href: link('/', { tab: name }), label, isPresent: name === tab.name }))}
      />
      <div role="status" class="news">
        {news.hasAny && <Button onPress={news.show}>Something has changed: show it</Button>}
      </div>
      <Listing<AlertRow>
        name={`alerts-${tab.name}`}
        caption={`Alerts: ${tab.label}`}
        search="card_lastfour"
        columns={columnsOf(tab, setRelated)}
        {...{ filters, load, csvOf }}
        version={news.times}
        keyOf={(row) => String(row.alert_id)}
        hrefOf={(row) => link(`/alerts/${row.alert_id}`)}
        empty={<p>{isOpen ? 'Nothing is waiting for you here.' : 'There are no such alerts.'}</p>}
        {...(isOpen &&
          answerAlert.isAllowed() && {
            bulk: (rows, done) => {
              const onChanged = () => [done(), news.expect()];
              return (
                <>
                  <BulkRefund rows={rows} done={onChanged} />
                  <BulkAnswer rows={rows} done={onChanged} />
                </>
              );
            },
          })}
      />
      {related !== undefined && <RelatedOver alertId={related} onClose={() => setRelated(undefined)} />}
    </Screen>
  );
};

/** What comes while one looks waits until it is wanted, so that nothing moves under the pointer. */
const useNews = () => {
  const present = revision.value;
  const [seen, setSeen] = useState(present);
  const [times, setTimes] = useState(0);
  const [isOwn, setOwn] = useState(false);
  const isOther = present !== seen;
  // The first revision is what the list shows; and what one has done oneself is no news.
  if (isOther && (seen === undefined || isOwn)) {
    setSeen(present);
    setOwn(false);
  }
  return {
    hasAny: isOther && seen !== undefined && !isOwn,
    times,
    show: () => {
      setSeen(present);
      setTimes(times + 1);
    },
    expect: () => setOwn(true),
  };
};

const BulkAnswer = ({ rows, done }: { rows: readonly AlertRow[]; done: () => void }) => {
  const [isOpen, setOpen] = useState(false);
  const close = (isChanged: boolean) => {
    setOpen(false);
    if (isChanged) done();
  };
  return (
    <>
      <Button look="main" onPress={() => setOpen(true)}>
        Answer {rows.length}
      </Button>
      {isOpen && <AnswerDialog alerts={rows} onClose={close} />}
    </>
  );
};
