import { formatAmount, type Money, parseAmount } from '#core/kernel/money/money.ts';
import type { AlertCost, Priced } from '#disputes/alerts/cost/cost.ts';

/** Compares the monthly statement of a network or reseller with the alerts that were received. Pure. */

/** A line of a statement: an alert that is billed, or a price that is given back. */
export type StatementLine = { line: number; caseId: string; kind: 'charge' | 'credit'; amount: Money };

/** The cost of a case's alert; undefined: there is no such alert here; `unassigned` if its alert has no merchant, or is a test alert. */
export type KnownCase = AlertCost | 'unassigned' | undefined;

export const findingKinds = [
  'never_received',
  'unassigned',
  'billed_twice',
  'other_price',
  'credit_unknown',
  'credit_missing',
] as const;
export type FindingKind = (typeof findingKinds)[number];

/** Something about a statement that its reader should question. `amount`: what it is about, in canonical decimals. */
export type Finding = {
  finding: FindingKind;
  /** The line of the file; null: the statement lacks a line. */
  line: number | null;
  case_id: string;
  alert_id: number | null;
  mid: number | null;
  amount: string;
  currency: string;
  /** The price that was agreed, where another one is billed. */
  agreed: string | null;
  agreed_currency: string | null;
};

const pricedMoney = ({ amount, currency }: Priced): Money | undefined => {
  const money = parseAmount(amount, currency);
  return typeof money === 'string' ? undefined : money;
};

const isSameMoney = (one: Money, other: Money): boolean => one.minor === other.minor && one.currency === other.currency;

const toFinding = (finding: FindingKind, { line, caseId, amount }: StatementLine, known: KnownCase): Finding => {
  const cost = typeof known === 'object' ? known : undefined;
  return {
    ...{ finding, line, case_id: caseId, alert_id: cost?.alertId ?? null, mid: cost?.mid ?? null },
    ...{ amount: formatAmount(amount), currency: amount.currency, agreed: null, agreed_currency: null },
  };
};

/** Returns what is wrong with a charge; undefined if nothing is. `isFirst`: no earlier line bills the case. */
const judgeCharge = (line: StatementLine, known: KnownCase, isFirst: boolean): Finding | undefined => {
  if (known === undefined) return toFinding('never_received', line, known);
  if (!isFirst) return toFinding('billed_twice', line, known);
  if (known === 'unassigned') return toFinding('unassigned', line, known);
  const agreed = known.price && pricedMoney(known.price);
  if (!agreed || isSameMoney(agreed, line.amount)) return undefined;
  return {
    ...toFinding('other_price', line, known),
    agreed: formatAmount(agreed),
    agreed_currency: agreed.currency,
  };
};

/** Credits that were granted or claimed for alerts of the statement's time, of which the statement says nothing. */
const missingCredits = (expected: readonly AlertCost[], credited: ReadonlySet<string>): Finding[] =>
  expected
    .filter(({ caseId }) => !credited.has(caseId))
    .map(({ caseId, alertId, mid, price }) => ({
      ...{ finding: 'credit_missing' as const, line: null, case_id: caseId, alert_id: alertId, mid },
      ...{ amount: price?.amount ?? '', currency: price?.currency ?? '', agreed: null, agreed_currency: null },
    }));

type Sums = Map<string, { billed: bigint; credited: bigint; questioned: bigint }>;

const addTo = (sums: Sums, { minor, currency }: Money, part: 'billed' | 'credited' | 'questioned'): void => {
  const before = sums.get(currency) ?? { billed: 0n, credited: 0n, questioned: 0n };
  sums.set(currency, { ...before, [part]: before[part] + minor });
};

/** Returns the sum to claim for a finding: the excess over the agreed price, if both have one currency; else all of it. */
const claimedSum = ({ amount, currency, agreed, agreed_currency }: Finding): Money | undefined => {
  const whole = pricedMoney({ amount, currency });
  if (!whole || agreed === null || agreed_currency !== currency) return whole;
  const due = pricedMoney({ amount: agreed, currency })?.minor ?? 0n;
  return { minor: whole.minor > due ? whole.minor - due : 0n, currency };
};

export type StatementComparison = {
  lines: number;
  findings: Finding[];
  /** Per currency, in canonical decimals; `questioned`: what the findings are about. */
  totals: { currency: string; billed: string; credited: string; questioned: string }[];
};

/**
 * Compares the lines of a statement with what is known of their cases. `expected`: the costs whose credit should be on it.
 */
export const compareStatement = (
  lines: readonly StatementLine[],
  knownOf: (caseId: string) => KnownCase,
  expected: readonly AlertCost[],
): StatementComparison => {
  const sums: Sums = new Map();
  const billed = new Set<string>();
  const credited = new Set<string>();
  const findings: Finding[] = [];
  for (const line of lines) {
    const { caseId, kind, amount } = line;
    const known = knownOf(caseId);
    addTo(sums, amount, kind === 'charge' ? 'billed' : 'credited');
    const found =
      kind === 'charge'
        ? judgeCharge(line, known, !billed.has(caseId))
        : known === undefined && toFinding('credit_unknown', line, known);
    if (found) findings.push(found);
    (kind === 'charge' ? billed : credited).add(caseId);
  }
  findings.push(...missingCredits(expected, credited));
  for (const one of findings.filter(({ finding }) => finding !== 'credit_unknown')) {
    const claim = claimedSum(one);
    if (claim) addTo(sums, claim, 'questioned');
  }
  const totals = [...sums].map(([currency, { billed: charged, credited: given, questioned }]) => ({
    currency,
    billed: formatAmount({ minor: charged, currency }),
    credited: formatAmount({ minor: given, currency }),
    questioned: formatAmount({ minor: questioned, currency }),
  }));
  return { lines: lines.length, findings, totals };
};
