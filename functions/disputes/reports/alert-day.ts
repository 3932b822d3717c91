import { countedAmount } from '#core/kernel/money/counted-minor.ts';
import { type Alert, isOpen } from '#disputes/alerts/alert.ts';
import { statesRefund } from '#disputes/alerts/answer/reason-codes.ts';
import { refundMakerOf } from '#disputes/alerts/answer/refunded-elsewhere.ts';
import type { AlertType } from '#disputes/providers/provider-alert.ts';

/**
 * The additions of an alert to the day on which it arrived, by name. Alerts count on their day of receipt, so that each day shows the
 * results of its alerts; a day's figures change until the last of them is over.
 */
export type Figures = ReadonlyMap<string, number>;

/** The result of an alert: one of these at any time. */
export const alertFates = ['open', 'resolved', 'declined', 'expired', 'withdrawn', 'informational'] as const;
export type AlertFate = (typeof alertFates)[number];

const endState = (alert: Alert): AlertFate => {
  const { status, deadlinePassed } = alert;
  if (status === 'INFORM') return 'informational';
  if (status === 'REVOKED' || status === 'RDR_DELETE') return 'withdrawn';
  if (isOpen(alert)) return deadlinePassed ? 'expired' : 'open';
  return status === 'RESOLVED' ? 'resolved' : 'declined';
};

/** Checks whether its answer says that the cardholder has their money: 001 is a refund, and so is what a network decided. */
const isRefunded = ({ update, providerAlert, status }: Alert): boolean =>
  status === 'RESOLVED' && (update === null ? providerAlert.decision === 'ACCEPTED' : statesRefund(update.reason_code));

/** A refund that only the merchant reports is counted apart; one of a row that does not say who made it is not. */
const refundedName = (alert: Alert): 'refunded' | 'refunded_elsewhere' =>
  refundMakerOf(alert) === 'merchant' ? 'refunded_elsewhere' : 'refunded';

/** The refunded amount: as the answer says, or the whole. */
const refundedMoney = ({ update, providerAlert: { amount, currency } }: Alert) => ({
  amount: update?.alert_outcome_amount ?? amount,
  currency: update?.alert_outcome_currency ?? currency,
});

/** The code of an alert that was charged back already: the answer came too late to prevent it. */
const chargedBack = '952.';

/** Times to answer are counted in classes of a few minutes or hours, from which a median can be read. Upper ends, in minutes. */
export const answerClasses = [
  5, 10, 15, 20, 30, 45, 60, 90, 120, 180, 240, 360, 480, 600, 720, 960, 1200, 1440, 1800, 2160, 2520, 2880, 3600, 4320,
  10_080,
] as const;

const timeClass = (minutes: number): number =>
  answerClasses.find((upper) => minutes <= upper) ?? answerClasses[answerClasses.length - 1] ?? 0;

const minutesToAnswer = ({ receivedAt, updatedAt, status }: Alert): number | undefined =>
  updatedAt !== null && (status === 'RESOLVED' || status === 'DECLINED')
    ? Math.max(0, (Date.parse(updatedAt) - Date.parse(receivedAt)) / 60_000)
    : undefined;

/** The author of an answer: a rule, or a person or program, with a token, an rcode or in the reply to a notification. */
const answerers = ['rule', 'person'] as const;
export type Answerer = (typeof answerers)[number];

/** The figures that are amounts of money. `refunded_elsewhere`: as merchants report. */
export type AmountFigure = 'refunded' | 'refunded_elsewhere' | 'prevented' | 'lost';

/** The names of an alert's figures: words separated by bars, as in rows. */
export const figureName = {
  received: (type: AlertType) => `received|${type}`,
  fate: (fate: AlertFate) => `fate|${fate}`,
  inTime: 'in_time',
  byRule: 'by_rule',
  amount: (what: AmountFigure, currency: string) => `${what}|${currency}`,
  answered: (minutes: number) => `answered|${timeClass(minutes)}`,
  /** One of the figures above, only for alerts answered by one of the answerers. */
  by: (who: Answerer, name: string) => `by|${who}|${name}`,
} as const;

/**
 * Goes up when the figures of an alert are defined differently. Alerts counted by an earlier revision are counted again when they
 * change, or by `npm run counters`.
 */
export const figuresRevision = 3;

/** The action of a rule that has decided an alert. */
const byRule = ['refunded', 'resolved', 'declined'] as const;

const whoAnswered = ({ automatic }: Alert): Answerer =>
  byRule.some((result) => result === automatic?.decision?.result) ? 'rule' : 'person';

/** All figures of one alert in its present state; test alerts have none. */
export const dayFigures = (alert: Alert): Figures => {
  const figures = new Map<string, number>();
  const { providerAlert, update, late } = alert;
  if (providerAlert.test || !alert.owner) return figures;
  const add = (name: string, n: number) => figures.set(name, (figures.get(name) ?? 0) + n);
  const fate = endState(alert);
  add(figureName.received(providerAlert.type), 1);
  add(figureName.fate(fate), 1);
  const minutes = minutesToAnswer(alert);
  const who = minutes === undefined ? undefined : whoAnswered(alert);
  const addAnswered = (name: string, n: number) => {
    add(name, n);
    if (who) add(figureName.by(who, name), n);
  };
  if (minutes !== undefined) addAnswered(figureName.answered(minutes), 1);
  if (who && !late) addAnswered(figureName.inTime, 1);
  if (who) add(figureName.by(who, figureName.fate(fate)), 1);
  if (who === 'rule') add(figureName.byRule, 1);
  if (isRefunded(alert)) {
    const { amount, currency } = refundedMoney(alert);
    addAnswered(figureName.amount(refundedName(alert), currency), countedAmount(amount, currency));
    if (!late) {
      add(
        figureName.amount('prevented', providerAlert.currency),
        countedAmount(providerAlert.amount, providerAlert.currency),
      );
    }
  }
  const isLost = fate === 'expired' || (update?.reason_code.startsWith(chargedBack) ?? false);
  if (isLost)
    add(figureName.amount('lost', providerAlert.currency), countedAmount(providerAlert.amount, providerAlert.currency));
  return figures;
};

/** Returns the additions to a day that count an alert in its new state instead of the old one. */
export const figuresDifferenceOf = (before: Figures, after: Figures): Figures => {
  const names = new Set([...before.keys(), ...after.keys()]);
  return new Map(
    [...names].flatMap((name) => {
      const n = (after.get(name) ?? 0) - (before.get(name) ?? 0);
      return n === 0 ? [] : [[name, n] as const];
    }),
  );
};
