import type { AlertRow } from '../app/operations.ts';
import { listText, translate, translateCount } from '../language/translate.ts';
import { type Sum, sumsText } from '../parts/money.ts';
import { durationText } from '../parts/times.ts';
import { countText } from '../parts/words.ts';
import { statesRefund } from './answer-words.ts';
import type { DryRunPage } from './rule-operations.ts';

/** The results of rules this month, those that trials would have had, and the answers of people. Pure. */

type Answered = { answered: number; median_minutes: number | null };
type Month = { answered_by: { rule: Answered; person: Pick<Answered, 'answered'> } };

/** The share of this month's answers that rules gave, and the time within which they gave half of them. */
export const monthWords = ({ answered_by: { rule, person } }: Month): string | undefined => {
  const all = countText(rule.answered + person.answered);
  const count = countText(rule.answered);
  if (rule.answered + person.answered === 0) return undefined;
  if (rule.answered === 0) return translate('People answered all {all} alerts of this month', { all });
  return rule.median_minutes === null
    ? translate('Rules answered {count} of {all} alerts this month', { count, all })
    : translate('Rules answered {count} of {all} alerts this month, half within {duration}', {
        ...{ count, all },
        duration: durationText(rule.median_minutes * 60_000),
      });
};

const answers = ['refund', 'decline', 'resolve'] as const;
const isAnswer = (would: string): would is (typeof answers)[number] => answers.some((one) => one === would);

type Would = Pick<DryRunPage['list'][number], 'alert_id' | 'would'>;
type Trial = { list: readonly Pick<Would, 'would'>[]; refunded: readonly Sum[]; matched: number };

/** The results that a trial would have had by now, in words: `It would have refunded 10 alerts, $35.20, and left 2 to people.` */
export const trialWords = ({ list, refunded, matched }: Trial): string => {
  if (matched === 0) return translate('It would have answered no alert of the last 30 days.');
  const counted = Map.groupBy(list, ({ would }) => (isAnswer(would) ? would : 'leave'));
  const parts = [...answers, 'leave' as const].flatMap((would) => {
    const length = counted.get(would)?.length ?? 0;
    const count = countText(length);
    if (length === 0) return [];
    if (would === 'refund') return translate('refunded {count} ({amount})', { count, amount: sumsText(refunded) });
    if (would === 'decline') return translate('declined {count}', { count });
    if (would === 'resolve') return translate('resolved {count} without a refund', { count });
    return translate('left {count} to people', { count });
  });
  return translateCount(
    matched,
    'It would have decided {count} alert of the last 30 days: {parts}.',
    'It would have decided {count} alerts of the last 30 days: {parts}.',
    { parts: listText(parts) },
  );
};

type AnsweredRow = Pick<AlertRow, 'alert_id' | 'status' | 'reason_code' | 'rule'>;
type Compared<Row> = { same: Row[]; other: Row[] };

/** Where people answered what a trial would have refunded or declined: as it would have, and otherwise. Rules' own answers are left out. */
export const compareWithPeople = <Row extends AnsweredRow>(
  list: readonly Would[],
  rows: readonly Row[],
): Compared<Row> => {
  const found = new Map(rows.map((row) => [String(row.alert_id), row]));
  const compared: Compared<Row> = { same: [], other: [] };
  for (const { alert_id, would } of list) {
    const row = found.get(String(alert_id));
    const isPerson = row?.rule === null || row?.rule.result === 'left_to_merchant' || row?.rule.result === 'review';
    if (!row || !isPerson || (would !== 'refund' && would !== 'decline')) continue;
    if (row.status !== 'RESOLVED' && row.status !== 'DECLINED') continue;
    const isRefunded = row.status === 'RESOLVED' && statesRefund(row.reason_code ?? '');
    compared[(would === 'refund' ? isRefunded : row.status === 'DECLINED') ? 'same' : 'other'].push(row);
  }
  return compared;
};
