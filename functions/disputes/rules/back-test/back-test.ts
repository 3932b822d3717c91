import { countedAmount } from '#core/kernel/money/counted-minor.ts';
import { formatAmount, parseAmount } from '#core/kernel/money/money.ts';
import type { PastAlert, Would } from '../dry-run/dry-run.ts';

/** Compares a draft of rules with today's over past alerts: what each side would have done, day by day. */
const sides = ['today', 'draft'] as const;
export type Side = (typeof sides)[number];

/** The verdict of a side on an alert; null: no rule decides it. */
export type Verdict = { ruleId: number; would: Would; reason: string | null } | null;

/** Sums of a day: `<side>|<measure>` how many, `<side>|<measure>|<currency>` minor units; `alerts`, `price|<currency>`. */
export type DaySums = Readonly<Record<string, number>>;

/** An alert on which the two differ. */
export type BackTestDifference = {
  alert_id: number;
  sid: number;
  alert_date: string;
  alert_type: string;
  amount: string;
  currency: string;
  today: VerdictDto | null;
  draft: VerdictDto | null;
};

/** Which rule: one of today's by its id, one of the draft by its place in it. */
export type VerdictDto = { rule_id: number | null; draft_rule: string | null; would: Would; reason: string | null };

/** Rules of a draft have negative ids, which stored rules never have and which give their places. */
const merchantsFrom = 1000;
export const draftId = (book: 'site' | 'merchant', place: number): number =>
  -(1 + place + (book === 'merchant' ? merchantsFrom : 0));

const rulePlace = (id: number): string => {
  const place = -id - 1;
  return place >= merchantsFrom ? `merchant_rules.${place - merchantsFrom}` : `site_rules.${place}`;
};

type Judged = PastAlert & { alert_id: number; sid: number };

/** Returns the measure that a verdict counts in. Alerts that no rule ends are left to people. */
const verdictName = (verdict: Verdict): 'refunded' | 'declined' | 'resolved' | 'left' => {
  if (verdict?.would === 'refund') return 'refunded';
  if (verdict?.would === 'decline') return 'declined';
  return verdict?.would === 'resolve' ? 'resolved' : 'left';
};

/** A refund, and an answer that the matter is resolved, keep the dispute from becoming a chargeback. */
const avoids = (measure: string): boolean => measure === 'refunded' || measure === 'resolved';

const add = (sums: Record<string, number>, name: string, n: number): void => {
  sums[name] = (sums[name] ?? 0) + n;
};

/** Adds an alert, with what both sides would have done and what it cost, to its day. */
export const addToDay = (
  day: DaySums,
  alert: Judged,
  verdicts: Readonly<Record<Side, Verdict>>,
  price: { amount: string; currency: string } | null,
): DaySums => {
  const sums = { ...day };
  add(sums, 'alerts', 1);
  if (price) add(sums, `price|${price.currency}`, countedAmount(price.amount, price.currency));
  for (const side of sides) {
    const measure = verdictName(verdicts[side]);
    add(sums, `${side}|${measure}`, 1);
    if (measure === 'refunded')
      add(sums, `${side}|cost|${alert.currency}`, countedAmount(alert.amount, alert.currency));
    if (avoids(measure)) {
      add(sums, `${side}|avoided`, 1);
      add(sums, `${side}|avoided|${alert.currency}`, countedAmount(alert.amount, alert.currency));
    }
  }
  return sums;
};

const isSameVerdict = (left: Verdict, right: Verdict): boolean => left?.would === right?.would;

const toVerdictDto = (verdict: Verdict): VerdictDto | null => {
  if (!verdict) return null;
  const { ruleId: id, would, reason } = verdict;
  return { rule_id: id > 0 ? id : null, draft_rule: id > 0 ? null : rulePlace(id), would, reason };
};

/** The alert as a difference; null if both sides would have done the same, by whichever rule. */
export const verdictDifferenceOf = (
  alert: Judged,
  { today, draft }: Readonly<Record<Side, Verdict>>,
): BackTestDifference | null =>
  isSameVerdict(today, draft)
    ? null
    : {
        alert_id: alert.alert_id,
        sid: alert.sid,
        alert_date: alert.alert_date,
        alert_type: alert.alert_type,
        amount: alert.amount,
        currency: alert.currency,
        today: toVerdictDto(today),
        draft: toVerdictDto(draft),
      };

const sumList = (sums: DaySums, name: string) =>
  Object.entries(sums)
    .filter(([one]) => one.startsWith(`${name}|`) && one.split('|').length === name.split('|').length + 1)
    .map(([one, minor]) => {
      const currency = one.slice(name.length + 1);
      return { currency, amount: formatAmount({ minor: BigInt(minor), currency }) };
    })
    .filter(({ amount, currency }) => typeof parseAmount(amount, currency) !== 'string')
    .sort((left, right) => (left.currency < right.currency ? -1 : 1));

const sideSums = (sums: DaySums, side: Side) => ({
  refunded: sums[`${side}|refunded`] ?? 0,
  declined: sums[`${side}|declined`] ?? 0,
  resolved: sums[`${side}|resolved`] ?? 0,
  left_to_people: sums[`${side}|left`] ?? 0,
  refund_cost: sumList(sums, `${side}|cost`),
  disputes_avoided: sums[`${side}|avoided`] ?? 0,
  avoided: sumList(sums, `${side}|avoided`),
});

const testFigures = (sums: DaySums) => ({
  alerts: sums['alerts'] ?? 0,
  alert_price: sumList(sums, 'price'),
  today: sideSums(sums, 'today'),
  draft: sideSums(sums, 'draft'),
});

/** Days in order, and all of them together, on the wire. */
export const backTestReportOf = (days: Readonly<Record<string, DaySums>>) => {
  const totals: Record<string, number> = {};
  for (const [name, n] of Object.values(days).flatMap((sums) => Object.entries(sums))) add(totals, name, n);
  const list = Object.entries(days).map(([date, sums]) => ({ date, ...testFigures(sums) }));
  return { days: list.sort((left, right) => (left.date < right.date ? -1 : 1)), totals: testFigures(totals) };
};
