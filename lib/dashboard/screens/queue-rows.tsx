import { useEffect } from 'preact/hooks';
import { milliseconds } from '#core/kernel/clock.ts';
import { minute } from '../app/clock.ts';
import { presentMid } from '../app/merchant.ts';
import type { AlertRow } from '../app/operations.ts';
import { beingAnswered } from '../app/undo.tsx';
import { inSentence, translate, translateCount } from '../language/translate.ts';
import { Badge, stateWords } from '../parts/badge.tsx';
import { CardNumber } from '../parts/card-number.tsx';
import { Initials } from '../parts/initials.tsx';
import { amountText } from '../parts/money.ts';
import { type Anchor, PaneRows, RowLines } from '../parts/pane-rows.tsx';
import { Ring } from '../parts/ring.tsx';
import type { Selection } from '../parts/selection.ts';
import { Time } from '../parts/time.tsx';
import { dueSoonMilliseconds } from '../parts/times.ts';
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

const dueGroup = ({ deadline }: AlertRow, now: number): string => {
  const left = deadline === null ? Number.POSITIVE_INFINITY : Date.parse(deadline) - now;
  if (left < dueSoonMilliseconds) return translate('Due within 6 hours');
  return left < milliseconds.day ? translate('Within a day') : translate('Later');
};

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
  const away = beingAnswered.value;
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
  return (
    <PaneRows
      label={translate('Alerts: {list}', { list: tab.label })}
      {...{ rows, selection, Inside }}
      groupOf={(row) => (isGrouped ? dueGroup(row, minute.value) : '')}
      sumOf={(members) =>
        translateCount(members.length, '{count} alert, {amount}', '{count} alerts, {amount}', {
          amount: disputedText(members),
        })
      }
      idOf={({ alert_id }) => String(alert_id)}
      field="alert"
      hasRings
      openId={id}
      beside={people}
    />
  );
};

const Inside = ({ row, beside: people, anchor }: { row: AlertRow; beside: readonly Person[]; anchor: Anchor }) => (
  <>
    {isAwaited(row) && row.deadline !== null ? <Ring from={row.alert_date} until={row.deadline} /> : <span />}
    <RowLines
      anchor={anchor}
      title={reasonWords(row)}
      unseen={translate('{amount}, alert {id}', { amount: amountText(row.amount, row.currency), id: row.alert_id })}
      amount={amountText(row.amount, row.currency)}
      who={
        <>
          <CardNumber card={row.card} />, {presentMid() === undefined ? `${row.retailer}: ${row.site}` : row.site}
          {row.issuer_name && `, ${row.issuer_name}`}
        </>
      }
      marks={
        <>
          <Chip row={row} />
          {row.assignee !== null && <Initials name={personName(row.assignee, people)} isNamed />}
        </>
      }
    />
  </>
);

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
