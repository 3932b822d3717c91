import type { Site } from '#accounts/merchants/site/site.ts';
import { datePart } from '#core/kernel/clock.ts';
import { countedAmount } from '#core/kernel/money/counted-minor.ts';
import { formatAmount, parseAmount } from '#core/kernel/money/money.ts';
import { cursorWords, decodeCursor } from '#core/platform/lists/cursor.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import type { RuleAction } from '#disputes/alerts/automatic/actions.ts';
import type { TransactionStanding } from '#disputes/alerts/automatic/gateway-transaction.ts';
import { answersEarlier, type FoundPlan } from '../decide/refund-plan.ts';
import { dailyRefundsOf, refundBarrier } from '../decide/rule-decision.ts';
import { type VolumeSubject, volumeAttributes, volumeNames } from '../volume/volume.ts';

/** The facts of an alert that a dry run needs: the part of its summary in lists that decides. */
export type PastAlert = {
  sid: number;
  alert_type: string;
  alert_date: string;
  amount: string;
  currency: string;
  descriptor: string;
  card: string;
  is_duplicate: 'yes' | 'no';
  test: boolean;
};

export type Would = RuleAction['type'] | 'leave_to_merchant';

/** Refunds that a dry run has made so far, by site and day. */
export type RefundTally = Map<string, number>;

const tallyName = (sid: number | string, day: string): string => `${sid} ${day}`;

/**
 * The position at a page's end, with the refunds that each site has had on that day so far, so that the next page continues to
 * count where this one ended. A page's other days are over, as pages are in order of time.
 */
export const cursorWith = (cursor: string | null, tally: RefundTally): string | null => {
  if (cursor === null) return null;
  const day = datePart(decodeCursor(cursor));
  const made = [...tally].flatMap(([name, n]) => {
    const [sid = '', on] = name.split(' ');
    return on === day ? [`${sid}:${n}`] : [];
  });
  return made.length === 0 ? cursor : `${cursor}.${Buffer.from(made.join(',')).toString('base64url')}`;
};

/** Reads it back; refuses (400) what cursorWith did not write. */
export const readTally = (sent: string | undefined): { cursor: string | undefined; tally: RefundTally } => {
  if (sent === undefined) return { cursor: undefined, tally: new Map() };
  const [cursor = '', made, ...more] = sent.split('.');
  const day = datePart(decodeCursor(cursor));
  if (made === undefined) return { cursor, tally: new Map() };
  const text = Buffer.from(made, 'base64url').toString('utf8');
  if (more.length > 0 || !/^[1-9]\d{0,15}:\d{1,9}(?:,[1-9]\d{0,15}:\d{1,9})*$/.test(text)) {
    throw new Refusal('request_invalid', cursorWords);
  }
  const pairs = text.split(',').map((pair) => pair.split(':'));
  return { cursor, tally: new Map(pairs.map(([sid = '', n]) => [tallyName(sid, day), Number(n)])) };
};

/** The effect that an action would have had; `refund`: the amount that would have been refunded. */
export type WouldBe = { would: Would; reason: string | null; refund: Cost | null };

/** Returns the limits of an alert's refund, as far as the alert and its site determine them. */
export const boundFacts = (alert: PastAlert, site: Site, action: RuleAction) => {
  const isDuplicate = alert.is_duplicate === 'yes';
  const barrierOf = ({ amount, currency }: Cost) =>
    refundBarrier({ test: alert.test, isDuplicate, amount, currency }, site);
  return { isDuplicate, answers: answersEarlier(action), barrierOf };
};

/**
 * A transaction as it was before it was refunded for the alert itself. Earlier refunds cannot be distinguished from
 * that one, so the whole amount counts as available.
 */
export const asBefore = (standing: TransactionStanding): TransactionStanding => ({
  ...standing,
  isSettledForAlert: false,
  refunded: 0n,
  left: standing.captured,
});

/** For a back-test, which looks for no payments: as if each alert had exactly one. */
const planUnseen = (alert: PastAlert, site: Site, action: RuleAction): Planned => {
  const barrier = boundFacts(alert, site, action).barrierOf(alert);
  const { amount, currency } = alert;
  return barrier === null ? { plan: 'refund', refund: { amount, currency } } : { plan: 'leave', reason: barrier };
};

type Planned = Exclude<FoundPlan, { plan: 'refund' }> | { plan: 'refund'; refund: Cost };

/** Returns the effect that an action would have had, or the reason why it would have had none. A refund that would be made is tallied. */
export const wouldDo = (
  action: RuleAction,
  alert: PastAlert,
  site: Site,
  tally: RefundTally,
  plan: Planned = planUnseen(alert, site, action),
): WouldBe => {
  const leave = (reason: string) => ({ would: 'leave_to_merchant' as const, reason, refund: null });
  const isDuplicate = alert.is_duplicate === 'yes';
  if (action.type === 'decline' && action.reason_code.startsWith('940.') && !isDuplicate)
    return leave('not_a_duplicate');
  if (action.type !== 'refund') return { would: action.type, reason: null, refund: null };
  if (plan.plan === 'leave') return leave(plan.reason);
  if (plan.plan === 'answer') {
    return { would: plan.reason === 'already_refunded' ? 'resolve' : 'decline', reason: plan.reason, refund: null };
  }
  const day = tallyName(alert.sid, datePart(alert.alert_date));
  const made = tally.get(day) ?? 0;
  if (made >= dailyRefundsOf(site)) return leave('daily_cap');
  tally.set(day, made + 1);
  const { amount, currency } = plan.refund;
  return { would: 'refund', reason: null, refund: { amount, currency } };
};

type Cost = { amount: string; currency: string };

/**
 * Returns what refunds would have cost and what would have been saved, per currency. A refunded or resolved alert does not become a
 * chargeback, which would have cost its amount and a fee; a declined one may.
 */
export const sumTotals = (
  done: readonly { would: Would; refund: Cost | null; amount: string; currency: string }[],
  chargeback: Cost,
): { currency: string; refunded: string; saved: string }[] => {
  const sums = new Map<string, { refunded: bigint; saved: bigint }>();
  const add = ({ amount, currency }: Cost, isRefund: boolean, isSaved: boolean) => {
    const money = parseAmount(amount, currency);
    if (typeof money === 'string') return;
    const { refunded, saved } = sums.get(currency) ?? { refunded: 0n, saved: 0n };
    sums.set(currency, {
      refunded: refunded + (isRefund ? money.minor : 0n),
      saved: saved + (isSaved ? money.minor : 0n),
    });
  };
  for (const { would, refund, amount, currency } of done) {
    if (would !== 'refund' && would !== 'resolve') continue;
    if (refund) add(refund, true, false);
    add({ amount, currency }, false, true);
    add(chargeback, false, true);
  }
  return [...sums].map(([currency, { refunded, saved }]) => ({
    currency,
    refunded: formatAmount({ minor: refunded, currency }),
    saved: formatAmount({ minor: saved, currency }),
  }));
};

/** Volumes of hours that are counted again alert by alert: by row and hour, as in the rows. */
export type HourTally = Map<string, Map<string, number>>;

const hourKey = (sid: number, name: string, at: string): string =>
  `${sid}\n${name}\n${at.slice(0, 'YYYY-MM-DDTHH'.length)}`;

const informational = ['FRAUD_NOTICE', 'DISPUTE_NOTICE'];

/** Counts an alert among those of its hour, as the stream did. */
export const tallyHour = (tally: HourTally, alert: PastAlert): void => {
  if (alert.test || alert.is_duplicate === 'yes' || informational.includes(alert.alert_type)) return;
  const { count, sum } = volumeAttributes(alert.alert_date, alert.currency);
  for (const name of Object.values(volumeNames(alert))) {
    const place = hourKey(alert.sid, name, alert.alert_date);
    const hour = tally.get(place) ?? new Map<string, number>();
    hour.set(count, (hour.get(count) ?? 0) + 1);
    hour.set(sum, (hour.get(sum) ?? 0) + countedAmount(alert.amount, alert.currency));
    tally.set(place, hour);
  }
};

/** Returns the counts of an alert's hour up to and including it. */
export const hourSoFar = (tally: HourTally, { sid }: VolumeSubject, name: string, at: string, currency: string) => {
  const hour = tally.get(hourKey(sid, name, at));
  const { count, sum } = volumeAttributes(at, currency);
  return { count: hour?.get(count) ?? 0, minor: hour?.get(sum) ?? 0 };
};
