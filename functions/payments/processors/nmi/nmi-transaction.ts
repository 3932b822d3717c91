import { iso, milliseconds } from '#core/kernel/clock.ts';
import { parseAmount } from '#core/kernel/money/money.ts';
import { type Node, toNode } from '../ports/outside-data.ts';
import type { OperationKind, QueryOutcome } from '../ports/processor.ts';
import { parsedXml } from '../xml.ts';
import { codeOfAction } from './nmi-codes.ts';

/** Transactions as NMI's Query API reports them. https://docs.nmi.com/reference/query */

export type NmiAction = {
  /** `sale`, `auth`, `capture`, `settle`, `refund`, `credit`, `void`, `return` (a chargeback, or a returned check). */
  type: string;
  /** Without the sign that refunds have there. Null: unreadable. */
  minor: bigint | null;
  /** ISO. */
  at: string;
  isSuccess: boolean;
  code: string;
  /** `recurring`: its subscription charged it. */
  source: string;
};

export type NmiTransaction = {
  id: string;
  orderId: string;
  /** `pending`: authorised only; `pendingsettlement`, `complete`, `canceled`, `failed`, `in_progress`, `abandoned`, `unknown`. */
  condition: string;
  authCode: string;
  currency: string;
  /** As it is masked there: `4xxxxxxxxxxx1111`. */
  card: string;
  bin: string;
  subscriptionId: string;
  /** For a refund: the transaction that it refunds, if NMI says. */
  originalId: string;
  actions: readonly NmiAction[];
};

/** The published conditions of a transaction and types of an action: https://docs.nmi.com/reference/query-api (2026-11-28) */
export const nmiConditions = [
  ...['pending', 'pendingsettlement', 'in_progress', 'abandoned', 'failed', 'canceled', 'complete', 'unknown'],
] as const;
export const nmiActionTypes = [
  ...['sale', 'refund', 'credit', 'auth', 'capture', 'void', 'return', 'settle', 'check_return', 'check_late_return'],
  ...['validate', 'level3', 'upgrade'],
] as const;

export type NmiReport = { transactions: readonly NmiTransaction[] } | { error: string };

const toList = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : value === undefined ? [] : [value];
const textAt = (node: Node, name: string): string => {
  const value = node[name];
  return typeof value === 'string' ? value.trim() : '';
};

const readNmiTime = (text: string): string => {
  const [, year, month, day, hour, minute, second] = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(text) ?? [];
  const time = year
    ? Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second))
    : 0;
  return iso(time);
};

const toAction = (node: Node, currency: string): NmiAction => {
  const money = parseAmount(textAt(node, 'amount').replace(/^-/, ''), currency);
  return {
    type: textAt(node, 'action_type'),
    minor: typeof money === 'string' ? null : money.minor,
    at: readNmiTime(textAt(node, 'date')),
    isSuccess: textAt(node, 'success') === '1',
    code: textAt(node, 'response_code'),
    source: textAt(node, 'source'),
  };
};

const toPayment = (value: unknown): NmiTransaction => {
  const node = toNode(value);
  const currency = textAt(node, 'currency') || 'USD';
  return {
    id: textAt(node, 'transaction_id'),
    orderId: textAt(node, 'order_id'),
    condition: textAt(node, 'condition'),
    authCode: textAt(node, 'authorization_code'),
    currency,
    card: textAt(node, 'cc_number'),
    bin: textAt(node, 'cc_bin'),
    subscriptionId: textAt(node, 'subscription_id'),
    originalId: textAt(node, 'original_transaction_id'),
    actions: toList(node['action']).map((action) => toAction(toNode(action), currency)),
  };
};

/** Reads an answer of query.php; undefined if it is invalid: not XML, cut off, or with entities of its own. */
export const readNmiReport = (xml: string): NmiReport | undefined => {
  if (!/<\/nm_response>\s*$|<nm_response\s*\/>\s*$/.test(xml)) return undefined;
  const response = parsedXml(xml)?.['nm_response'];
  if (response === undefined) return undefined;
  const node = toNode(response);
  if ('error_response' in node) return { error: textAt(node, 'error_response') };
  const transactions = toList(node['transaction']).map(toPayment);
  return transactions.every(({ id }) => id !== '') ? { transactions } : undefined;
};

const isPassed = (type: string) => (action: NmiAction) => action.type === type && action.isSuccess;
const hasDone = ({ actions }: NmiTransaction, type: string): boolean => actions.some(isPassed(type));
const isMaking = ({ type }: NmiAction): boolean => type === 'sale' || type === 'auth';

/** Returns how much of a payment was captured and refunded, in minor units. */
export const nmiCaptured = ({ actions, condition }: NmiTransaction): bigint => {
  if (condition === 'canceled' || condition === 'failed') return 0n;
  const taken = actions.findLast((action) => isPassed('capture')(action) || isPassed('sale')(action));
  return taken?.minor ?? 0n;
};
export const nmiRefundedOf = ({ actions }: NmiTransaction): bigint =>
  actions.filter(isPassed('refund')).reduce((sum, { minor }) => sum + (minor ?? 0n), 0n);

/** Networks hold an authorisation for a month at most; NMI leaves it `pending` forever. */
const authorisedFor = 31 * milliseconds.day;

/** Checks whether an authorisation is gone: voided there, by anybody, or older than any network holds it. `now`: milliseconds. */
const hasLapsed = ({ actions, condition }: NmiTransaction, now: number): boolean => {
  const made = actions.find(isMaking);
  if (made?.type !== 'auth' || !made.isSuccess || actions.some(isPassed('capture'))) return false;
  return condition === 'canceled' || (condition === 'pending' && now - Date.parse(made.at) > authorisedFor);
};

/** The outcome of a payment, or of a refund that is a transaction of its own. `now`: milliseconds; without it, nothing lapses by age. */
export const outcomeOfNmi = (
  transaction: NmiTransaction,
  kind: OperationKind,
  now = Number.NEGATIVE_INFINITY,
): QueryOutcome => {
  const { id: reference, condition, authCode, actions } = transaction;
  const made = kind === 'pay' ? actions.find(isMaking) : actions.find(({ type }) => type === 'refund');
  const detail = `nmi ${condition}`;
  if (kind === 'pay' && hasLapsed(transaction, now)) {
    return { outcome: 'EXC', code: 'authorization_expired', reference, detail };
  }
  if (made?.isSuccess && !(kind === 'refund' && condition === 'canceled')) {
    return { outcome: 'OK', reference, ...(kind === 'pay' && authCode && { authCode }) };
  }
  if (condition === 'in_progress') return { outcome: 'PEND', reference, nextAction: null };
  if (condition === 'abandoned') return { outcome: 'EXC', code: 'authentication_abandoned', reference, detail };
  if (condition === 'failed' || condition === 'canceled') {
    return {
      outcome: 'EXC',
      code: codeOfAction(made?.code ?? '', kind),
      reference,
      detail: `${detail} ${made?.code ?? ''}`.trim(),
    };
  }
  return { outcome: 'UNKNOWN', detail };
};

/** Returns the result of a capture or a void, by the payment it is of; undefined if there was none yet. */
export const outcomeOfNmiFollowUp = (payment: NmiTransaction, kind: 'capture' | 'void'): QueryOutcome | undefined => {
  const { id: reference, condition } = payment;
  const isVoided = condition === 'canceled';
  const isCaptured = !isVoided && (hasDone(payment, 'capture') || hasDone(payment, 'sale'));
  const [isDone, isOther] = kind === 'capture' ? [isCaptured, isVoided] : [isVoided, isCaptured];
  if (isDone) return { outcome: 'OK', reference };
  if (!isOther) return undefined;
  return {
    outcome: 'EXC',
    code: kind === 'capture' ? 'capture_failed' : 'void_failed',
    reference,
    detail: `nmi ${condition}`,
  };
};

/** The tolerated difference between our clock and NMI's. */
const skew = 2 * milliseconds.minute;

/** Checks whether a payment was voided whole since a time (ISO): how a refund is done before settlement. */
export const wasVoidedSince = ({ actions, condition }: NmiTransaction, since: string): boolean => {
  const from = iso(Date.parse(since) - skew);
  return condition === 'canceled' && actions.some((action) => isPassed('void')(action) && action.at >= from);
};
