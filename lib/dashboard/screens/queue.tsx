import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { address, link, setQuery } from '../app/address.ts';
import { revision } from '../app/alert-pulse.ts';
import { isOperator, presentMid } from '../app/merchant.ts';
import { type AlertRow, answerAlert } from '../app/operations.ts';
import { waiting } from '../app/screen.tsx';
import { answersSent, beingAnswered } from '../app/undo.tsx';
import { translate, translateCount } from '../language/translate.ts';
import { Button } from '../parts/button.tsx';
import { ListAndPane } from '../parts/list-and-pane.tsx';
import { Listing } from '../parts/listing.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { recommended } from './alert-facts.ts';
import { AlertPane } from './alert-pane.tsx';
import { Later } from './answer-later.tsx';
import { useColleagues } from './colleagues.ts';
import { alertCsv, assigneeFilter, filters } from './queue-filters.ts';
import { loadNarrowed, mine, type Tab, tabs, toAssignee } from './queue-lists.ts';
import { QueueRows } from './queue-rows.tsx';

const presentTab = (): Tab => tabs.find(({ name }) => name === address.value.query.get('tab')) ?? tabs[0];
const isOpenTab = ({ name }: Tab): boolean => name === 'open' || name === 'late' || name === 'progress';

const emptyWords: Readonly<Record<Tab['name'], string>> = {
  open: translate('Nothing to decide. New alerts appear here, the one that is due first on top.'),
  progress: translate('Nothing is in progress. Alerts that you mark so wait here for their answer.'),
  late: translate('Nothing is late.'),
  answered: translate('There are no such alerts.'),
  inform: translate('There are no such alerts.'),
};

/** The list of alerts on the left, by deadline; everything about one of them on the right. */
export const Queue = () => {
  const tab = presentTab();
  const news = useNews();
  const [rows, setRows] = useState<readonly AlertRow[]>([]);
  const wanted = address.value.query.get('alert') ?? undefined;
  const first = rows.find(({ alert_id }) => !beingAnswered.value.has(alert_id));
  const id = wanted ?? (first && String(first.alert_id));
  /** Opens the next alert. */
  const goOn = () => {
    news.expect();
    const at = rows.findIndex(({ alert_id }) => String(alert_id) === id);
    const left = rows.filter(({ alert_id }) => !beingAnswered.peek().has(alert_id));
    const next = left.find(({ alert_id }) => rows.findIndex((row) => row.alert_id === alert_id) > at) ?? left[0];
    setQuery({ alert: wanted === undefined ? undefined : next && String(next.alert_id) }, { replace: true });
  };
  return (
    <ListAndPane
      title={translate('Queue')}
      field="alert"
      list={(heading) => <List {...{ tab, news, id, heading }} onShown={setRows} />}
      pane={id && <AlertPane key={id} id={id} heading={(words) => <h1 tabIndex={-1}>{words}</h1>} onDecided={goOn} />}
      none={
        <>
          <h2>{translate('No alert is open')}</h2>
          <p>{translate('Choose one on the left to see what to do, why, and everything known about it.')}</p>
        </>
      }
    />
  );
};

type ListProps = {
  tab: Tab;
  news: ReturnType<typeof useNews>;
  id: string | undefined;
  heading: ComponentChildren;
  onShown: (rows: readonly AlertRow[]) => void;
};

/** The tabs, with the alerts of the current one. */
const List = ({ tab, news, id, heading, onShown }: ListProps) => {
  const people = useColleagues(presentMid());
  const whose = address.value.query.get('assignee') ?? undefined;
  return (
    <Listing<AlertRow>
      heading={heading}
      actions={!isOperator() && <Mine tab={tab} whose={whose} />}
      tabs={<Above {...{ tab, whose, news }} />}
      more={<a href={link('/queue', { tab: 'inform', assignee: whose })}>{translate('For information')}</a>}
      shownFilters={whose === mine ? ['assignee'] : []}
      name={`alerts-${tab.name}`}
      caption={translate('Alerts: {label}', { label: tab.label })}
      search="alerts"
      filters={presentMid() === undefined ? filters : [...filters, assigneeFilter(people)]}
      csvOf={alertCsv}
      load={(given, page, signal) => loadNarrowed(tab, filters, given, page, signal)}
      isShown={({ alert_id: shown }, { recommended: verb }) =>
        verb === undefined || (recommended.value[shown] ?? verb) === verb
      }
      version={`${news.times} ${answersSent.value}`}
      keyOf={(row) => String(row.alert_id)}
      empty={<p>{whose === mine ? translate('Nothing here is assigned to you.') : emptyWords[tab.name]}</p>}
      onRows={onShown}
      render={(all, selection) => (
        <QueueRows {...{ all, selection, tab, id, people }} isGrouped={tab.name === 'open'} />
      )}
      {...(isOpenTab(tab) &&
        answerAlert.isAllowed() && {
          bulk: (chosen, done) => (
            <Later>{({ BulkBar }) => <BulkBar rows={chosen} done={() => [done(), news.expect()]} />}</Later>
          ),
        })}
    />
  );
};

/** The tabs, and what is said above the rows. */
const Above = ({ tab, whose, news }: Pick<ListProps, 'tab' | 'news'> & { whose: string | undefined }) => {
  const counts = useCounts(whose, news.times, answersSent.value, beingAnswered.value.size);
  return (
    <>
      <Tabs
        label={translate('Which alerts')}
        tabs={tabs
          .filter(({ name }) => name !== 'inform' || tab.name === name)
          .map(({ name, label }) => ({
            href: link('/queue', { tab: name, assignee: whose }),
            label: [label, counts[name]].join(' ').trim(),
            isPresent: name === tab.name,
          }))}
      />
      <div role="status" class="news">
        {news.hasAny && (
          <Button onPress={news.show}>
            {news.added > 0
              ? translateCount(news.added, 'Show {count} new alert', 'Show {count} new alerts')
              : translate('Something has changed: show it')}
          </Button>
        )}
      </div>
      {tab.name === 'late' && (
        <p class="note warn">
          {translate(
            'These are past their deadline. A refund can still avoid a chargeback; the network may not accept an answer.',
          )}
        </p>
      )}
    </>
  );
};

/** The number of alerts in each tab, read a moment after the list, which the reader waits for. `of`: whose they are. */
const counted = signal<Readonly<Record<string, string>>>({});

const useCounts = (whose: string | undefined, ...changes: unknown[]): Readonly<Record<string, string>> => {
  const assignee = whose && toAssignee(whose);
  const of = `${presentMid()} ${assignee}`;
  useEffect(() => {
    const cancel = new AbortController();
    const read = async () =>
      (await import('./answer-dialogs.ts')).countTabs(counted, { of, assignee }, beingAnswered.peek(), cancel.signal);
    const timer = setTimeout(read, 1500);
    return () => {
      clearTimeout(timer);
      cancel.abort();
    };
  }, [of, ...changes]);
  return counted.value['of'] === of ? counted.value : {};
};

/** Shows only the alerts that are assigned to the signed-in user, or no longer only those. */
const Mine = ({ tab, whose }: { tab: Tab; whose: string | undefined }) => (
  <a
    class="button plain toggle"
    href={link('/queue', { tab: tab.name, assignee: whose === mine ? undefined : mine })}
    aria-current={whose === mine ? 'true' : undefined}
  >
    {translate('Mine')}
  </a>
);

/** New alerts wait behind a button, so that nothing moves under the pointer. */
const useNews = () => {
  const present = revision.value;
  const [seen, setSeen] = useState(present);
  const [open, setOpen] = useState(waiting.value);
  const [times, setTimes] = useState(0);
  const [isOwn, setOwn] = useState(false);
  const isOther = present !== seen;
  // The list shows the first revision already, and the user's own changes are not news.
  if (isOther && (seen === undefined || isOwn)) {
    setSeen(present);
    setOpen(waiting.value);
    setOwn(false);
  }
  return {
    hasAny: isOther && seen !== undefined && !isOwn,
    times,
    /** The number of alerts that were opened since the list was read. */
    added: waiting.value - open,
    show: () => {
      setSeen(present);
      setOpen(waiting.value);
      setTimes(times + 1);
    },
    expect: () => setOwn(true),
  };
};
