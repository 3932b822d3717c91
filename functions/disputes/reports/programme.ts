/**
 * The card schemes' programmes for merchants with many disputes, as acquirers published their limits in November 2026: the schemes'
 * own rules are for their members.
 */

export const figureSchemes = ['VISA', 'MASTERCARD'] as const;
export type FigureScheme = (typeof figureSchemes)[number];

/** An acquirer's figures for a month, per scheme: no other party knows all of a merchant's payments. */
export type MonthFigures = { settled: number; chargebacks: number; fraud: number };

export type Programme = {
  name: 'VAMP' | 'ECM' | 'HECM';
  title: string;
  scheme: FigureScheme;
  /** The first month for which these limits hold, `2026-04`. */
  since: string;
  /** Where they are published. */
  source: string;
  ratioBps: number;
  /** A merchant is over only if this number a month is reached as well. */
  least: number;
  /** True if fraud reports count as well as disputes. */
  countsFraud: boolean;
  /** True if the ratio uses the settled payments of the previous month. */
  isOverMonthBefore: boolean;
};

const visaSource =
  'https://support.checkout.com/hc/en-us/articles/23330844282514-What-are-the-thresholds-for-disputes-and-fraud-under-Visa-s-Acquirer-Monitoring-Program-VAMP';
const mastercardSource = 'https://docs.antom.com/ac/merchant_service/card_monitor';

/**
 * The strictest of the large regions' limits; other regions' are higher or begin later. Visa noticed merchants above 220 from June
 * 2025 on, and fines them since October.
 */
export const programmes: readonly Programme[] = [
  {
    name: 'VAMP',
    title: 'Visa Acquirer Monitoring Program, excessive',
    scheme: 'VISA',
    since: '2025-10',
    ratioBps: 220,
    least: 1500,
    countsFraud: true,
    isOverMonthBefore: false,
    source: visaSource,
  },
  {
    name: 'VAMP',
    title: 'Visa Acquirer Monitoring Program, excessive',
    scheme: 'VISA',
    since: '2026-04',
    ratioBps: 150,
    least: 1500,
    countsFraud: true,
    isOverMonthBefore: false,
    source: visaSource,
  },
  {
    name: 'ECM',
    title: 'Mastercard Excessive Chargeback Merchant',
    scheme: 'MASTERCARD',
    since: '2019-10',
    ratioBps: 150,
    least: 100,
    countsFraud: false,
    isOverMonthBefore: true,
    source: mastercardSource,
  },
  {
    name: 'HECM',
    title: 'Mastercard High Excessive Chargeback Merchant',
    scheme: 'MASTERCARD',
    since: '2019-10',
    ratioBps: 300,
    least: 300,
    countsFraud: false,
    isOverMonthBefore: true,
    source: mastercardSource,
  },
];

/** The limits in force in a month: for each programme, the latest that had begun. */
export const programmesIn = (month: string): Programme[] => {
  const latest = new Map<string, Programme>();
  for (const programme of programmes) {
    const known = latest.get(programme.name);
    if (programme.since <= month && (!known || known.since < programme.since)) latest.set(programme.name, programme);
  }
  return [...latest.values()];
};

/** The month before one: `2026-05` after `2026-06`. */
export const monthBefore = (month: string): string => {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number - 2)).toISOString().slice(0, 'YYYY-MM'.length);
};

/** From this share of both limits on, the merchant should take notice. */
const nearShare = 0.75;

type ProgrammeStanding = 'ok' | 'near' | 'over' | 'unknown';

type Known = { present: MonthFigures | undefined; before: MonthFigures | undefined };

/** Where a merchant stands: over only if both ratio and number are, near if both come close. */
export const standingOf = (programme: Programme, { present, before }: Known) => {
  const settled = (programme.isOverMonthBefore ? before : present)?.settled;
  const parts = { chargebacks: present?.chargebacks ?? 0, fraud: programme.countsFraud ? (present?.fraud ?? 0) : 0 };
  const numerator = parts.chargebacks + parts.fraud;
  const isKnown = present !== undefined && settled !== undefined && settled > 0;
  const ratioBps = isKnown ? Math.round((numerator * 10_000) / settled) : null;
  const reaches = (share: number) =>
    ratioBps !== null && ratioBps >= programme.ratioBps * share && numerator >= programme.least * share;
  const status: ProgrammeStanding = !isKnown ? 'unknown' : reaches(1) ? 'over' : reaches(nearShare) ? 'near' : 'ok';
  return { numerator, denominator: settled ?? null, ratioBps, status, parts };
};
