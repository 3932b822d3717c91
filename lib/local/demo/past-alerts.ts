import type { Site } from '#accounts/merchants/site/site.ts';
import { iso, milliseconds } from '#core/kernel/clock.ts';
import { newTimedId } from '#core/kernel/ids.ts';
import type { Write } from '#core/platform/table/table.ts';
import { type Alert, createAlert, isOpen, withdraw } from '#disputes/alerts/alert.ts';
import type { AlertUpdate } from '#disputes/alerts/answer/alert-update.ts';
import { createOutcome, type NetworkOutcome } from '#disputes/alerts/answer/network-outcome.ts';
import { newOutcomeWrite } from '#disputes/alerts/answer/network-outcome-row.ts';
import { applyUpdate, takesOutcome } from '#disputes/alerts/answer/update.ts';
import type { Automatic } from '#disputes/alerts/automatic/automatic.ts';
import { entryOfChange, type HistoryEntry } from '#disputes/alerts/history/history.ts';
import { changedAlertWrites, newAlertWrites } from '#disputes/alerts/history/history-row.ts';
import { newCaseWrite } from '#disputes/alerts/intake/case-row.ts';
import { newAlertForm } from '#disputes/alerts/outbox/alert-payload.ts';
import { informWrites } from '#disputes/alerts/search/inform-row.ts';
import { type AlertType, blankProviderAlert } from '#disputes/providers/provider-alert.ts';
import type { ProviderAlert } from '#disputes/providers/providers.ts';
import { newAlertDeliveryId } from '#messaging/webhooks/delivery/delivery.ts';
import { pastDelivery } from './past-deliveries.ts';
import type { Chance } from './seeded-chance.ts';

const { minute, hour, day } = milliseconds;
const pastDays = 60;
/** Of all alerts, the newest: some of them still wait for an answer. */
const recentHours = { FRAUD: 22, other: 68 } as const;

const types = { FRAUD: 30, DISPUTE: 42, CANCEL: 5, DISPUTE_RDR: 14, FRAUD_NOTICE: 5, DISPUTE_NOTICE: 4 } as const;
const providersOf = {
  FRAUD: ['provider_a'],
  DISPUTE: ['provider_a', 'provider_b'],
  CANCEL: ['provider_b'],
  DISPUTE_RDR: ['rdr'],
  FRAUD_NOTICE: ['provider_a', 'provider_b'],
  DISPUTE_NOTICE: ['provider_b'],
} as const satisfies Record<AlertType, readonly [ProviderAlert['provider'], ...ProviderAlert['provider'][]]>;

const issuers = [
  'First Example Bank',
  'Harbour Credit Union',
  'Example National',
  'Northwind Bank',
  'Lakeside Savings',
] as const;
const cards = [
  '424242xxxxxx4242',
  '400005xxxxxx5556',
  '555555xxxxxx4444',
  '411111xxxxxx1111',
  '222300xxxxxx3222',
  '378282xxxxxx0005',
] as const;
const descriptors = ['DEMO SHOP', 'DEMO*TICKETS', 'DEMO*SUBSCRIPTION', 'DEMO*GIFTS'] as const;
/** The codes of Visa, Mastercard and American Express, which have the first digits 4, 5 or 2, and 3. RDR is Visa's alone. */
const reasons = {
  FRAUD: ['10.4', '4837', 'F29', 'Fraud, card absent'],
  DISPUTE: ['13.1', '4855', 'C08', 'Merchandise or services not received'],
  CANCEL: ['13.2', '4841', 'C28', 'Cancelled recurring payment'],
  DISPUTE_RDR: ['13.6', '13.6', '13.6', 'Credit not processed'],
  FRAUD_NOTICE: ['TC40', 'SAFE', 'FR2', 'Reported as fraud'],
  DISPUTE_NOTICE: ['13.7', '4860', 'C05', 'Cancelled merchandise'],
} as const satisfies Record<AlertType, readonly [string, string, string, string]>;
const findReason = (type: AlertType, card: string): readonly [code: string, words: string] => {
  const [visa, mastercard, amex, words] = reasons[type];
  return [card.startsWith('4') ? visa : card.startsWith('3') ? amex : mastercard, words];
};

const currencies = { USD: 78, EUR: 14, GBP: 8 } as const;

const providerAlertOf = (chance: Chance, number: number, type: AlertType, receivedAt: number): ProviderAlert => {
  const isRdr = type === 'DISPUTE_RDR';
  const provider = chance.pick(providersOf[type]);
  const amount = `${chance.between(4, chance.next() < 0.15 ? 900 : 140)}.${chance.pick(['00', '50', '90', '95', '99'])}`;
  const decision = isRdr ? (chance.next() < 0.85 ? 'ACCEPTED' : 'DECLINED') : null;
  const card = chance.pick(isRdr ? cards.filter((one) => one.startsWith('4')) : cards);
  const [conditionCode, conditionReason] = findReason(type, card);
  return {
    ...blankProviderAlert,
    provider,
    // As long as networks' own.
    caseId: `PAST${String(number).padStart(21, '0')}`,
    type,
    decision,
    card,
    transactionAt: iso(receivedAt - chance.between(2, 45) * day - chance.between(0, 23) * hour),
    descriptor: chance.pick(descriptors),
    amount,
    currency: chance.pickWeighted(currencies),
    arn: `7453${String(number).padStart(19, '1')}`,
    authCode: String(chance.between(100_000, 999_999)),
    conditionCode,
    conditionReason,
    issuerName: chance.pick(issuers),
    ...(isRdr && { bin: '423223', caid: '1231231' }),
  };
};

/** A person's answer to an alert: mostly that it is refunded, sometimes why it is not. */
const answers = {
  refunded: 62,
  partly: 8,
  earlier: 8,
  authenticated: 9,
  unknown: 6,
  unanswered: 0.8,
  withdrawn: 4,
} as const;
type Answer = keyof typeof answers;

const makeAnswer = (answer: Answer, { amount, currency }: ProviderAlert): AlertUpdate | null => {
  const half = (Number(amount) / 2).toFixed(2);
  switch (answer) {
    case 'refunded':
      return {
        status: 'RESOLVED',
        reason_code: '100.001',
        alert_outcome_amount: amount,
        alert_outcome_currency: currency,
      };
    case 'partly':
      return {
        status: 'RESOLVED',
        reason_code: '101.001',
        alert_outcome_amount: half,
        alert_outcome_currency: currency,
      };
    case 'earlier':
      return { status: 'RESOLVED', reason_code: '951.001', comments: 'Refunded by our support the day before.' };
    case 'authenticated':
      return {
        status: 'DECLINED',
        reason_code: '954.002',
        comments: 'The cardholder was authenticated by 3-D Secure.',
      };
    case 'unknown':
      return { status: 'DECLINED', reason_code: '902.002' };
    case 'unanswered':
    case 'withdrawn':
      return null;
  }
};

/** The demo's live rule, which has answered what it applies to: the third that is created, see present.ts. */
export const giftRule = {
  id: 3,
  name: 'Refund small gifts',
  descriptor: 'DEMO*GIFTS',
  most: 140,
  currency: 'USD',
} as const;
const isByRule = ({ descriptor, amount, currency }: ProviderAlert): boolean =>
  descriptor === giftRule.descriptor && Number(amount) <= giftRule.most && currency === giftRule.currency;
const people = ['demo', 'demo', 'anna', 'anna'] as const;
const decidedByRule: Automatic = {
  decision: {
    ...{ ruleId: giftRule.id, version: 1, name: giftRule.name, sid: null, mode: 'live', facts: {} },
    ...{ action: { type: 'refund' }, result: 'refunded', reason: null, answeredWith: '100.001' },
  },
  ...{ shadows: [], transaction: null, refund: null, potentialMatches: null },
};

const answerDelay = (chance: Chance): number =>
  chance.next() < 0.06 ? chance.between(73, 90) * hour : chance.between(4, chance.next() < 0.7 ? 240 : 1300) * minute;

/** An alert before and after each of its changes, with what tells them. */
type Told = { alert: Alert; entry: HistoryEntry };

const toReceived = (alert: Alert): Told => ({
  alert,
  entry: entryOfChange(null, alert, 'received', alert.receivedAt, { by: alert.providerAlert.provider, via: 'intake' }),
});

const passDeadline = (alert: Alert): Told => {
  const after: Alert = { ...alert, warnedAt: alert.deadlineAt, deadlinePassed: true, version: alert.version + 1 };
  const entry = entryOfChange(alert, after, 'deadline passed', alert.deadlineAt ?? alert.receivedAt, {
    by: 'deadline',
    via: 'deadline',
  });
  return { alert: after, entry };
};

const withdrawAlert = (alert: Alert, at: string): Told => {
  const after = withdraw(alert, at);
  return {
    alert: after,
    entry: entryOfChange(alert, after, 'withdrawn by provider', at, {
      by: alert.providerAlert.provider,
      via: 'intake',
    }),
  };
};

/** Returns the states of an alert of the past; the alert as it was received comes first. */
const makeLife = (chance: Chance, received: Told, now: number): Told[] => {
  const { alert } = received;
  const { providerAlert, receivedAt, deadlineAt } = alert;
  if (!takesOutcome(providerAlert.type)) return [received];
  const isAutomatic = isByRule(providerAlert);
  const answer = isAutomatic ? 'refunded' : chance.pickWeighted(answers);
  const delay = isAutomatic ? chance.between(1, 3) * minute : answerDelay(chance);
  const at = iso(Math.min(now, Date.parse(receivedAt) + delay));
  if (answer === 'withdrawn' && providerAlert.provider === 'provider_b') return [received, withdrawAlert(alert, at)];
  const update = makeAnswer(answer, providerAlert) ?? makeAnswer('refunded', providerAlert);
  const isLate = deadlineAt !== null && at > deadlineAt;
  const before = answer === 'unanswered' || isLate ? [received, passDeadline(alert)] : [received];
  if (answer === 'unanswered' || !update) return before;
  const last = before.at(-1)?.alert ?? alert;
  const after = applyUpdate(last, update, new Set(), at);
  if (!after) return before;
  if (!isAutomatic) {
    const source = { by: chance.pick(people), via: 'dashboard' } as const;
    return [...before, { alert: after, entry: entryOfChange(last, after, 'updated', at, source) }];
  }
  const decided = { ...after, automatic: decidedByRule };
  const source = { by: `rule ${giftRule.id}`, via: 'rules' } as const;
  return [...before, { alert: decided, entry: entryOfChange(last, decided, 'decided by rule', at, source) }];
};

/** The network has taken what was answered. */
const takenOutcome = ({ alert, entry: { at } }: Told): NetworkOutcome | null => {
  const outcome = alert.update && createOutcome(alert, alert.update, false, at);
  if (!outcome) return null;
  const acceptedAt = iso(Date.parse(at) + 900);
  return {
    ...outcome,
    state: 'ACCEPTED',
    nextAttemptAt: null,
    lateAt: null,
    acceptedAt,
    attempts: [{ id: `past-${alert.alertId}`, at: acceptedAt, result: 'accepted', status: 200, error: null }],
    attemptCount: 1,
  };
};

/** The last state of an alert with all of its history: one row of it, an entry for each change. */
const alertWrites = (life: readonly Told[]): Write[] => {
  const [first, ...changes] = life;
  const last = life.at(-1);
  if (!first || !last) return [];
  const [, received] = newAlertWrites(first.alert, first.entry);
  const entries = changes.map(({ alert, entry }) => changedAlertWrites(alert, entry)[1]);
  const [row] = newAlertWrites(last.alert, last.entry);
  return [row, received, ...entries];
};

/** Returns the rows of one alert of the past, its deliveries and what its network received. */
const lifeWrites = (life: readonly Told[], site: Site, chance: Chance, now: number): Write[] => {
  const last = life.at(-1);
  if (!last) return [];
  const { alert } = last;
  const outcome = life.length > 1 ? takenOutcome(last) : null;
  const first = life[0]?.alert ?? alert;
  const delivery = pastDelivery(
    { id: newAlertDeliveryId(alert.alertId), alertId: alert.alertId, body: newAlertForm(first), at: alert.receivedAt },
    { site, chance, now, isClosed: !isOpen(alert) && takesOutcome(alert.providerAlert.type) },
  );
  return [
    ...alertWrites(life),
    newCaseWrite(alert),
    ...informWrites(alert, site),
    ...delivery,
    ...(outcome ? [newOutcomeWrite(outcome)] : []),
  ];
};

/** Returns the age of an alert: evenly over the days, and a share of them within the time that answers take. */
const pickAge = (chance: Chance, type: AlertType, isRecent: boolean): number => {
  if (!isRecent) return chance.between(4 * 24, pastDays * 24) * hour + chance.between(0, 59) * minute;
  const most = type === 'FRAUD' ? recentHours.FRAUD : recentHours.other;
  return chance.between(10, most * 60) * minute;
};

/**
 * One alert in ten is recent and has no answer yet; one in thirty has no owner. `now`: milliseconds. `paymentOf`: returns the rows of the
 * payment that an alert without an answer is about.
 */
export const pastAlert = (
  number: number,
  site: Site,
  chance: Chance,
  now: number,
  paymentOf: (alert: ProviderAlert) => Write[],
): Write[] => {
  const type = chance.pickWeighted(types);
  const isUnmatched = number % 30 === 7;
  const isRecent = number % 10 === 3 || isUnmatched;
  const receivedAt = now - pickAge(chance, type, isRecent);
  const sent = providerAlertOf(chance, number, isUnmatched ? 'DISPUTE' : type, receivedAt);
  const providerAlert = isRecent && isByRule(sent) ? { ...sent, descriptor: descriptors[0] } : sent;
  if (isUnmatched) {
    const strange = { ...providerAlert, descriptor: chance.pick(['DEMOSHOP LONDON', 'DMO SHOP 442', 'PAYPAL*DEMO']) };
    const unowned = createAlert(newTimedId(), strange, iso(receivedAt), { unmatchedBecause: 'no_match' });
    return [...alertWrites([toReceived(unowned)]), newCaseWrite(unowned)];
  }
  const matchedDescriptor = providerAlert.descriptor === 'DEMO SHOP' ? 'DEMO SHOP' : 'DEMO*';
  const received = toReceived(createAlert(newTimedId(), providerAlert, iso(receivedAt), { site, matchedDescriptor }));
  return isRecent
    ? [...lifeWrites([received], site, chance, now), ...paymentOf(providerAlert)]
    : lifeWrites(makeLife(chance, received, now), site, chance, now);
};
