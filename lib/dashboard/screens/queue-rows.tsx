import { useEffect, useRef } from 'preact/hooks';
import { address, go, link } from '../app/address.ts';
import { minute } from '../app/clock.ts';
import { presentMid } from '../app/merchant.ts';
import type { AlertRow } from '../app/operations.ts';
import { useShortcuts } from '../app/shortcuts.ts';
import { beingAnswered } from '../app/undo.tsx';
import { inSentence, translate, translateCount } from '../language/translate.ts';
import { Badge, stateWords } from '../parts/badge.tsx';
import { CardNumber } from '../parts/card-number.tsx';
import { Initials } from '../parts/initials.tsx';
import { amountText } from '../parts/money.ts';
import { Ring } from '../parts/ring.tsx';
import type { Selection } from '../parts/selection.ts';
import { Time } from '../parts/time.tsx';
import { dueSoonMilliseconds } from '../parts/times.ts';
import { skipUnchanged } from '../parts/unchanged.ts';
import { adviceWords, type Verb } from './advice.ts';
import { adviseRows, isAwaited, readAhead, recommended } from './alert-facts.ts';
import { type Person, personName } from './colleagues.ts';
import { disputedText } from './plain-refund.ts';
import { reasonWords } from './reason-words.ts';

type RowsProps = {
  all: readonly AlertRow[];
  selection: Selection<AlertRow> | undefined;
  tab: { label: string };
  /** The alert that is open. */
  id: string | undefined;
  isGrouped: boolean;
  people: readonly Person[];
};

/** The number of next alerts that are read in advance. */
const aheadCount = 3;
/** The time after which recommendations of all rows are read. */
const adviseAfterMilliseconds = 1500;
const dayMilliseconds = 86_400_000;

const dueGroup = ({ deadline }: AlertRow, now: number): string => {
  const left = deadline === null ? Number.POSITIVE_INFINITY : Date.parse(deadline) - now;
  if (left < dueSoonMilliseconds) return translate('Due within 6 hours');
  return left < dayMilliseconds ? translate('Within a day') : translate('Later');
};

/** The address of the queue without an open alert. */
const queueLink = (): string => link('/queue', { ...Object.fromEntries(address.value.query), alert: undefined });

/** The address of the queue with an alert open. */
const withAlert = (queue: string, { alert_id }: AlertRow): string =>
  `${queue}${queue.includes('?') ? '&' : '?'}alert=${alert_id}`;

/** Has the recommendations of all rows read, a moment after they are shown: the pane is what the reader waits for. */
const useAdvice = (rows: readonly AlertRow[], shown: string): void =>
  useEffect(() => {
    let isOver = false;
    const ids = rows.filter((row) => isAwaited(row) && !row.test).map(({ alert_id }) => String(alert_id));
    const timer = setTimeout(() => void adviseRows(ids, () => isOver), adviseAfterMilliseconds);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [shown]);

/** The rows of the queue, grouped by the time left. Alerts with a pending answer are hidden. */
export const QueueRows = ({ all, selection, tab, id, isGrouped, people }: RowsProps) => {
  const around = useRef<HTMLDivElement>(null);
  const away = beingAnswered.value;
  const queue = queueLink();
  const rows = all.filter(({ alert_id }) => !away.has(alert_id));
  const shown = rows.map(({ alert_id }) => alert_id).join();
  const at = rows.findIndex(({ alert_id }) => String(alert_id) === id);
  useEffect(() => {
    if (id === undefined) return;
    readAhead(
      rows
        .slice(at + 1, at + 1 + aheadCount)
        .filter(isAwaited)
        .map(({ alert_id }) => String(alert_id)),
    );
  }, [id, shown]);
  useAdvice(rows, shown);
  useRowKeys({ around, rows, at, queue, selection });
  const groups = new Map<string, AlertRow[]>();
  for (const row of rows) {
    const name = isGrouped ? dueGroup(row, minute.value) : '';
    groups.set(name, [...(groups.get(name) ?? []), row]);
  }
  return (
    <div class="rows" ref={around}>
      {[...groups].map(([name, members]) => (
        <section key={name}>
          {name && (
            <h2 class="group">
              {name}
              <span>
                {translateCount(members.length, '{count} alert, {amount}', '{count} alerts, {amount}', {
                  amount: disputedText(members),
                })}
              </span>
            </h2>
          )}
          <ul
            aria-label={[translate('Alerts: {list}', { list: tab.label }), inSentence(name)].filter(Boolean).join(', ')}
          >
            {members.map((row) => (
              <Row
                key={row.alert_id}
                {...{ row, people }}
                href={withAlert(queue, row)}
                isOn={String(row.alert_id) === id}
                picked={selection?.keys}
                toggle={selection?.toggle}
              />
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
};

type RowProps = Pick<RowsProps, 'people'> & {
  row: AlertRow;
  href: string;
  isOn: boolean;
  picked: ReadonlySet<string> | undefined;
  /** Undefined: rows cannot be selected. */
  toggle: Selection<AlertRow>['toggle'] | undefined;
};

const Row = skipUnchanged(({ row, href, isOn, picked, toggle, people }: RowProps) => {
  const isPicked = picked?.has(String(row.alert_id)) ?? false;
  return (
    <li class={`row${isOn ? ' on' : ''}${isPicked ? ' picked' : ''}`} data-alert={row.alert_id}>
      {toggle && (
        <span class="pick">
          <input
            type="checkbox"
            aria-label={translate('Select {name}', { name: row.alert_id })}
            checked={isPicked}
            onClick={(event) => toggle(row, event.shiftKey)}
          />
        </span>
      )}
      {isAwaited(row) && row.deadline !== null ? <Ring from={row.alert_date} until={row.deadline} /> : <span />}
      <p class="pair">
        <a href={href} aria-current={isOn ? 'true' : undefined}>
          {reasonWords(row)}
          <span class="unseen">
            {', '}
            {translate('{amount}, alert {id}', { amount: amountText(row.amount, row.currency), id: row.alert_id })}
          </span>
        </a>
        <strong>{amountText(row.amount, row.currency)}</strong>
      </p>
      <p class="pair">
        <span class="who">
          <CardNumber card={row.card} />, {presentMid() === undefined ? `${row.retailer}: ${row.site}` : row.site}
          {row.issuer_name && `, ${row.issuer_name}`}
        </span>
        <span class="marks">
          <Chip row={row} />
          {row.assignee !== null && <Initials name={personName(row.assignee, people)} isNamed />}
        </span>
      </p>
    </li>
  );
});

const looks: Readonly<Record<Verb, string>> = { refund: 'act', already: 'good', decline: 'line', decide: 'plain' };

/** The recommendation, or the result of an answered alert. */
const Chip = ({ row }: { row: AlertRow }) => {
  const verb = recommended.value[row.alert_id];
  if (!isAwaited(row)) {
    return row.status === 'INFORM' ? (
      <span class="quiet small">
        <Time at={row.alert_date} />
      </span>
    ) : (
      <Badge state={row.status} {...(row.refunded_by === 'merchant' && { label: translate('Refunded by you') })} />
    );
  }
  if (verb) return <span class={`badge ${looks[verb]}`}>{adviceWords[verb]}</span>;
  if (row.test) return <Badge state="TEST" tone="plain" />;
  if (row.held_txid) return <span class="badge plain">{translate('Payment held')}</span>;
  if (row.rule?.reason)
    return (
      <span class="quiet small">
        {translate('Rule: {reason}', { reason: inSentence(stateWords(row.rule.reason)) })}
      </span>
    );
  return null;
};

type Keys = Pick<RowsProps, 'selection'> & {
  around: { current: HTMLElement | null };
  rows: readonly AlertRow[];
  /** The index of the open alert; -1 if no row has it. */
  at: number;
  queue: string;
};

/** Moves between alerts, and selects the open one. */
const useRowKeys = ({ around, rows, at, queue, selection }: Keys) => {
  const isFirst = useRef(true);
  const move = (by: 1 | -1) => {
    // The first press only shows which alert is open.
    const next = rows[Math.max(0, Math.min(rows.length - 1, isFirst.current && at === 0 ? 0 : at + by))];
    isFirst.current = false;
    if (!next) return;
    go(withAlert(queue, next), { replace: true });
    const target = around.current?.querySelector<HTMLElement>(`[data-alert="${next.alert_id}"] a`);
    target?.focus();
    target?.scrollIntoView({ block: 'nearest' });
  };
  const toggle = (isRange: boolean) => {
    isFirst.current = false;
    const row = rows[at];
    if (row) selection?.toggle(row, isRange);
  };
  useShortcuts({
    next: () => move(1),
    previous: () => move(-1),
    ...(selection && { select: () => toggle(false), selectRange: () => toggle(true) }),
  });
};
