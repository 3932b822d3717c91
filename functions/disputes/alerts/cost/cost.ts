import { isDeepStrictEqual } from 'node:util';
import type { AlertProvider } from '#disputes/providers/providers.ts';
import { type Alert, isLost, isOpen } from '../alert.ts';
import { priorEventOf } from '../case/prior-event.ts';

/**
 * The cost of an alert for its merchant, whether the price can be reclaimed, and the saving. One row per alert, which the counter keeps in
 * step with the alert; people move a credit to its next state.
 */
export const creditStates = ['none', 'claimable', 'claimed', 'granted', 'refused'] as const;
export type CreditState = (typeof creditStates)[number];

/** Why an alert need not be paid for. */
export const creditReasons = ['refunded_before', 'charged_back_before', 'duplicate', 'not_ours'] as const;
export type CreditReason = (typeof creditReasons)[number];

/** The evidence for a credit, names as on the wire. */
export type CreditEvidence = {
  /** The reason code with which the alert was answered. */
  reason_code?: string;
  /** ISO; when the money had already been refunded. */
  refunded_at?: string;
  /** ISO; when the issuer had already charged it back. */
  charged_back_at?: string;
  chargeback_id?: string;
  /** The refund that was made here. */
  txid?: number;
  /** The rule that found this at the processor, and the processor's reference of the transaction. */
  rule_id?: number;
  transaction?: string;
  duplicate_alertid?: number;
  /** The alert's descriptor, if it is not the merchant's. */
  descriptor?: string;
  /** A person's note. */
  note?: string;
};

export type Credit = { state: CreditState; reason: CreditReason | null; evidence: CreditEvidence };

/** An amount in canonical decimals of its currency. */
export type Priced = { amount: string; currency: string };

/** A change, with its time and author; the oldest has the price. Entries are added and never changed. */
type CostEntry = { at: string; by: string; price?: Priced | null; credit?: CreditState; saved?: Priced | null };

export type AlertCost = {
  alertId: number;
  mid: number;
  rid: number;
  sid: number;
  provider: AlertProvider;
  caseId: string;
  type: Alert['providerAlert']['type'];
  receivedAt: string;
  /** The price when the alert was received; null: none was set for such alerts. */
  price: Priced | null;
  credit: Credit;
  /** The disputed amount of an alert that was resolved in time; null: nothing was saved. */
  saved: Priced | null;
  entries: readonly CostEntry[];
  version: number;
};

const noCredit: Credit = { state: 'none', reason: null, evidence: {} };

/** Checks whether an alert is paid for at all: it has a merchant and is no test alert. */
export const isPaidFor = ({ owner, providerAlert }: Pick<Alert, 'owner' | 'providerAlert'>): boolean =>
  owner !== null && !providerAlert.test;

type Ground = Omit<Credit, 'state'>;

/** Returns what a rule that answered with 951 or 952 had found at the processor. */
const foundByRule = ({ automatic }: Alert): CreditEvidence | null => {
  const decision = automatic?.decision;
  if (decision?.reason !== 'already_refunded' && decision?.reason !== 'already_charged_back') return null;
  const transaction = automatic?.transaction?.payment_gateway_reference;
  return { rule_id: decision.ruleId, ...(transaction !== undefined && { transaction }) };
};

/**
 * The ground of an answer that says something happened before the alert came, which only its date proves: what a rule found may
 * have happened after the alert.
 */
const earlier = (alert: Alert, reason: CreditReason, field: 'refunded_at' | 'charged_back_at'): Ground | null => {
  const { reason_code = '', alert_outcome_action_date: date } = alert.update ?? {};
  if (date === undefined || !isBefore(date, alert.receivedAt)) return null;
  return { reason, evidence: { reason_code, ...foundByRule(alert), [field]: date } };
};

/** A date at midnight is a day without a time: it is before an alert only if the alert came on a later day. */
const isBefore = (date: string, receivedAt: string): boolean =>
  date.endsWith('T00:00:00.000Z') ? date.slice(0, 10) < receivedAt.slice(0, 10) : date < receivedAt;

const answeredGround = (alert: Alert): Ground | null => {
  const { reason_code = '', tx_details } = alert.update ?? {};
  const named = tx_details?.find(({ duplicate_alertid }) => duplicate_alertid !== undefined)?.duplicate_alertid;
  switch (reason_code.slice(0, 3)) {
    case '901':
      return { reason: 'not_ours', evidence: { reason_code, descriptor: alert.providerAlert.descriptor } };
    case '940':
      return named === undefined
        ? null
        : { reason: 'duplicate', evidence: { reason_code, duplicate_alertid: Number(named) } };
    case '951':
      return earlier(alert, 'refunded_before', 'refunded_at');
    case '952':
      return earlier(alert, 'charged_back_before', 'charged_back_at');
    default:
      return null;
  }
};

/** Why an alert's price can be reclaimed, as far as the alert itself shows; null if it shows no reason. */
export const groundOf = (alert: Alert): Ground | null => {
  const prior = priorEventOf(alert);
  switch (prior?.kind) {
    case 'duplicate':
      return { reason: 'duplicate', evidence: { duplicate_alertid: prior.alertId } };
    case 'charged_back':
      return {
        reason: 'charged_back_before',
        evidence: { chargeback_id: prior.chargebackId, charged_back_at: prior.at },
      };
    case 'refunded':
      return { reason: 'refunded_before', evidence: { refunded_at: prior.at, txid: prior.txid } };
    default:
      return isOpen(alert) ? null : answeredGround(alert);
  }
};

/** Returns an alert's saving: the disputed amount, if it was resolved in time and its price cannot be reclaimed. */
const findSaving = (alert: Alert, ground: Ground | null): Priced | null => {
  if (alert.status !== 'RESOLVED' || alert.late || ground || isLost(alert)) return null;
  const { disputeAmount, disputeCurrency, amount, currency } = alert.providerAlert;
  return disputeAmount && disputeCurrency ? { amount: disputeAmount, currency: disputeCurrency } : { amount, currency };
};

/** The credit that the alert itself shows, whatever people have said about it. */
export const computedCredit = (alert: Alert): Credit => creditAfter(noCredit, groundOf(alert));

/** A person's decision about a credit remains, however the alert changes. */
const creditAfter = (credit: Credit, ground: Ground | null): Credit => {
  if (credit.state !== 'none' && credit.state !== 'claimable') return credit;
  return ground ? { state: 'claimable', ...ground } : noCredit;
};

const by = 'service';

const newCost = (alert: Alert, owner: NonNullable<Alert['owner']>, price: Priced | null): AlertCost => {
  const { alertId, providerAlert, receivedAt } = alert;
  return {
    alertId,
    mid: owner.mid,
    rid: owner.rid,
    sid: owner.sid,
    provider: providerAlert.provider,
    caseId: providerAlert.caseId,
    type: providerAlert.type,
    receivedAt,
    price,
    credit: noCredit,
    saved: null,
    entries: [{ at: receivedAt, by, price }],
    version: 0,
  };
};

/**
 * The cost of an alert in its current state; null if nothing is new. `price`: the price of such alerts when it was received,
 * called only the first time. `at`: ISO.
 */
export const costAfter = (
  before: AlertCost | undefined,
  alert: Alert,
  price: () => Priced | null,
  at: string,
): AlertCost | null => {
  if (!alert.owner || !isPaidFor(alert)) return null;
  const cost = before ?? newCost(alert, alert.owner, price());
  const ground = groundOf(alert);
  const [credit, saved] = [creditAfter(cost.credit, ground), findSaving(alert, ground)];
  const isSame = isDeepStrictEqual(credit, cost.credit) && isDeepStrictEqual(saved, cost.saved);
  if (isSame) return before ? null : { ...cost, version: 1 };
  const entry: CostEntry = {
    at,
    by,
    ...(credit.state !== cost.credit.state && { credit: credit.state }),
    ...(!isDeepStrictEqual(saved, cost.saved) && { saved }),
  };
  return { ...cost, credit, saved, entries: [...cost.entries, entry], version: cost.version + 1 };
};

/** The states to which people may move a credit. Only operators grant or refuse one. */
export const creditSteps: Readonly<Record<CreditState, readonly CreditState[]>> = {
  none: ['claimed', 'granted'],
  claimable: ['claimed', 'granted', 'refused'],
  claimed: ['claimable', 'granted', 'refused'],
  granted: ['refused'],
  refused: ['claimed', 'granted'],
};

/** The cost after a person has moved its credit: see creditSteps. */
export const withCredit = (cost: AlertCost, credit: Credit, at: string, who: string): AlertCost => ({
  ...cost,
  credit,
  entries: [...cost.entries, { at, by: who, credit: credit.state }],
  version: cost.version + 1,
});
