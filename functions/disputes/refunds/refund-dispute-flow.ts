import { Refusal } from '#core/platform/operation/errors.ts';
import { keys } from '#core/platform/table/keys.ts';
import type { Item, Key } from '#core/platform/table/table.ts';
import type { Alert } from '#disputes/alerts/alert.ts';
import { fromAlertItem } from '#disputes/alerts/alert-row.ts';
import { checkRefundCode } from '#disputes/alerts/answer/refund-answer.ts';
import { refundedHereWrite } from '#disputes/alerts/automatic/decision-row.ts';
import { isPartOf } from '#disputes/alerts/disputed-money.ts';
import { type Awaited, awaitedAlertWrite } from '#disputes/alerts/history/history-row.ts';
import { settleDispute } from '#disputes/holds/dispute-hold-store.ts';
import type { PlanAnswer } from '#payments/transactions/follow-up/follow-up.ts';
import type { BeginGuards } from '#payments/transactions/follow-up/follow-up-store.ts';
import type { RefundDispute } from '#payments/transactions/follow-up/refund-flow.ts';
import type { Alongside } from '#payments/transactions/transaction/transaction-store.ts';
import { answering } from './alert-answer-store.ts';

/** The answer of a refund to its alert. */
export type AnswerAsked = {
  reasonCode?: string | undefined;
  comments?: string | undefined;
  notes?: string | undefined;
  /** The alert and its first notification, if the caller has just read them. */
  rows?: readonly [alert: Item | undefined, delivery: Item | undefined];
  /** Called with the alert once it is answered. */
  onAnswered?: (alert: Alert | undefined) => void;
};

/**
 * The refund's alert and caller. `answer`: absent if something else answers it. `awaited`: what the alert must be until the refund begins.
 */
type DisputeAsked = {
  alertId: number;
  by: string;
  answer?: AnswerAsked | undefined;
  awaited?: Awaited;
  isImplied?: boolean;
};

/** The part that a dispute alert has in the refund of its payment: conditions, and the answer in the same transaction as the result. */
export const refundDispute = ({ alertId, by, answer, awaited, isImplied = false }: DisputeAsked): RefundDispute => {
  const [known, delivery] = answer?.rows ?? [];
  let site: Item | undefined;
  let writesOf: Alongside | undefined;
  return {
    alertId,
    isImplied,
    findPayment: () => settleDispute(alertId),
    keys: answer ? answerKeysOf(alertId, known) : [],
    planAnswer: ([alertItem, siteItem]) => {
      site = siteItem;
      return answer && planAnswerOf(known ?? alertItem, answer, by);
    },
    guardsFor: (txid) => makeGuards(alertId, txid, awaited),
    alongside: (before, after) => {
      writesOf ??= answering(known && [known, delivery, site], answer?.onAnswered);
      return writesOf(before, after);
    },
  };
};

/** The rows of an answer that are not read yet: the alert, or else its site. */
const answerKeysOf = (alertId: number, known: Item | undefined): readonly (Key | null)[] => {
  const sid = known && fromAlertItem(known).owner?.sid;
  return sid === undefined ? [keys.alert(alertId)] : [null, keys.site(sid)];
};

/** Throws reason_code_invalid. */
const planAnswerOf = (item: Item | undefined, answer: AnswerAsked, by: string): PlanAnswer | undefined => {
  const alert = item && fromAlertItem(item);
  if (!alert?.owner) return undefined;
  const { alertId, owner, providerAlert } = alert;
  const { reasonCode, comments, notes } = answer;
  checkRefundCode(providerAlert, reasonCode);
  return (charged, minor) => ({
    alertId,
    sid: owner.sid,
    by,
    isPart: isPartOf(providerAlert, minor, charged),
    ...(reasonCode !== undefined && { reasonCode }),
    ...(comments !== undefined && { comments }),
    ...(notes !== undefined && { notes }),
  });
};

/** An alert's refund is made here or elsewhere, never both. */
const makeGuards = (alertId: number, txid: number, awaited: Awaited | undefined): BeginGuards => ({
  refund: {
    write: refundedHereWrite(alertId, txid),
    refusal: new Refusal(
      'already_refunded_for_dispute',
      `alert_id: alert ${alertId} is refunded at a connection of its merchant's.`,
    ),
  },
  alert: awaited && {
    write: awaitedAlertWrite(alertId, awaited),
    refusal: new Refusal(
      'alert_closed',
      `alert_id: alert ${alertId} is already answered; to refund it anyway, use processrefund.`,
    ),
  },
});
