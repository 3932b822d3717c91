import { type Alert, type AlertChargeback, disputeCaseIdOf, isInformational, isOpen } from '../alert.ts';
import { needsDuplicate } from '../answer/reason-codes.ts';
import type { CreditState, Priced } from '../cost/cost.ts';

/**
 * A dispute case binds what is known about one disputed payment: the alerts of all networks, their withdrawals, the payment, its
 * refunds wherever they were made, its chargeback, and what the alerts cost. Pure.
 */
export const disputeCaseStates = [
  'informed',
  'withdrawn',
  'answered',
  'open',
  'in_progress',
  'refunded',
  'charged_back',
] as const;
/** In order: a case is in the last state that applies to any of its alerts, its refunds or its chargeback. */
export type DisputeCaseState = (typeof disputeCaseStates)[number];

/** The makers of refunds: this service, the network by its own decision, or the merchant, according to an answer. */
export const refunders = ['forewarn', 'network', 'merchant'] as const;

export type CaseRefund = {
  alertId: number;
  by: (typeof refunders)[number];
  /** ISO; null: not known. */
  at: string | null;
  /** Canonical decimals; null: not known. */
  money: Priced | null;
  /** The refund of a payment taken here. */
  txid: number | null;
  /** The connection at which it was made. */
  connection: string | null;
  state: 'pending' | 'done' | 'failed';
};

/** An alert with the rows stored next to it. `refunds`: those that this service made for it. */
export type CaseAlert = {
  alert: Alert;
  heldTxid: number | null;
  refunds: readonly CaseRefund[];
  credit: CreditState | null;
};

export type DisputeCase = {
  caseId: number;
  state: DisputeCaseState;
  /** Oldest first. */
  alerts: readonly CaseAlert[];
  /** The payment taken here that the alerts are about; null: none was found. */
  txid: number | null;
  refunds: readonly CaseRefund[];
  chargeback: AlertChargeback | null;
};

const alertState = ({ status, withdrawnAt, providerAlert }: Alert): DisputeCaseState => {
  if (withdrawnAt !== null) return 'withdrawn';
  if (isInformational(providerAlert.type)) return 'informed';
  if (!isOpen({ status })) return 'answered';
  return status === 'OPEN' ? 'open' : 'in_progress';
};

const isFinal = ({ status }: Alert): boolean => status === 'RESOLVED' || status === 'DECLINED';

/** A refund that others made for an alert, as its network or its merchant reports it. */
const reportedRefunds = ({ alert, refunds }: CaseAlert): CaseRefund[] => {
  const { alertId, providerAlert, update, updatedAt, withdrawnAt, receivedAt } = alert;
  const { disputeAmount, disputeCurrency, amount, currency } = providerAlert;
  const disputed = disputeAmount ? { amount: disputeAmount, currency: disputeCurrency } : { amount, currency };
  const blank = { alertId, txid: null, connection: null, state: 'done' } as const;
  if (withdrawnAt !== null) return [];
  if (providerAlert.decision === 'ACCEPTED') {
    return [{ ...blank, by: 'network', at: providerAlert.providerDate || receivedAt, money: disputed }];
  }
  const isMade = refunds.some(({ state }) => state !== 'failed');
  if (
    !update ||
    isMade ||
    !isFinal(alert) ||
    !update.reason_code.endsWith('.001') ||
    needsDuplicate(update.reason_code)
  ) {
    return [];
  }
  const { alert_outcome_amount: said, alert_outcome_currency: saidCurrency, alert_outcome_action_date: date } = update;
  const money = said !== undefined && saidCurrency !== undefined ? { amount: said, currency: saidCurrency } : disputed;
  return [{ ...blank, by: 'merchant', at: date ?? updatedAt, money }];
};

/** The refund from before an alert, which no alert of the case asked for. */
const earlierRefunds = ({ alert: { alertId, refundedBefore } }: CaseAlert): CaseRefund[] =>
  refundedBefore ? [{ alertId, by: 'forewarn', ...refundedBefore, money: null, connection: null, state: 'done' }] : [];

const byTime = (left: CaseAlert, right: CaseAlert): number =>
  left.alert.receivedAt === right.alert.receivedAt
    ? left.alert.alertId - right.alert.alertId
    : left.alert.receivedAt < right.alert.receivedAt
      ? -1
      : 1;

/** The case of alerts about one payment; at least one. */
export const disputeCaseOf = (members: readonly CaseAlert[]): DisputeCase => {
  const alerts = members.toSorted(byTime);
  const [first] = alerts;
  if (!first) throw new Error('A dispute case has at least one alert');
  const made = alerts.flatMap((one) => [...earlierRefunds(one), ...one.refunds, ...reportedRefunds(one)]);
  // Two alerts may name one refund: that of before, and that which one of them asked for.
  const refunds = made.filter(
    ({ txid }, index) => txid === null || made.findIndex((other) => other.txid === txid) === index,
  );
  const chargebacks = alerts.flatMap(({ alert }) => alert.chargeback ?? []);
  const chargeback = chargebacks.find(({ stands }) => stands) ?? chargebacks.at(-1) ?? null;
  const states: DisputeCaseState[] = [
    ...alerts.map(({ alert }) => alertState(alert)),
    ...(refunds.some(({ state }) => state === 'pending') ? ['in_progress' as const] : []),
    ...(refunds.some(({ state }) => state === 'done') ? ['refunded' as const] : []),
    ...(chargeback?.stands ? ['charged_back' as const] : []),
  ];
  return {
    caseId: disputeCaseIdOf(first.alert),
    state: disputeCaseStates.findLast((state) => states.includes(state)) ?? 'open',
    alerts,
    txid: alerts.find(({ heldTxid }) => heldTxid !== null)?.heldTxid ?? null,
    refunds,
    chargeback,
  };
};
