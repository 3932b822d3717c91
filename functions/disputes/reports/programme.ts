/**
 * The card schemes' programmes for merchants with many disputes, as acquirers published their limits in November 2026: the schemes'
 * own rules are for their members.
 */

export const figureSchemes = ['VISA', 'MASTERCARD'] as const;
export type FigureScheme = (typeof figureSchemes)[number];

/** An acquirer's figures for a month, per scheme: no other party knows all of a merchant's payments. */
export type MonthFigures = {
  settled: number;
  chargebacks: number;
  fraud: number;
  /** Where the acquirer is; absent: not supplied. */
  region?: FigureRegion;
  /** The sum of the disputes and fraud reports, in whole US dollars; absent: not supplied. */
  amountUsd?: number;
  /** Of the chargebacks, those for fraud, their sum in whole US dollars, and the share of payments with 3-D Secure; absent: not supplied. */
  fraudChargebacks?: number;
  fraudUsd?: number;
  threeDsPercent?: number;
  /** Authorisations that Visa found to test cards, and all of them, approved or declined; absent: not supplied. */
  enumerated?: number;
  authorisations?: number;
};

/** The regions whose limits differ. */
export const figureRegions = ['NORTH_AMERICA', 'EUROPE', 'LAC', 'ASIA_PACIFIC', 'MENA'] as const;
export type FigureRegion = (typeof figureRegions)[number];

export const programmeNames = ['VAMP', 'VAMP_ENUMERATION', 'ECM', 'HECM', 'EFM'] as const;

export type Programme = {
  name: (typeof programmeNames)[number];
  title: string;
  scheme: FigureScheme;
  /** The first month for which these limits hold, `2026-04`. */
  since: string;
  /** Where they are published, and when they were last compared with that. */
  source: string;
  checked: string;
  /** The regions in which they hold; absent: in all without limits of their own. */
  regions?: readonly FigureRegion[];
  ratioBps: number;
  /** A merchant is over only if this number a month is reached as well, where there is one. */
  least?: number;
  /** And this amount in US dollars, where there is one. */
  minUsd?: number;
  /** And only with less than this share of payments with 3-D Secure, and this number of payments. */
  belowThreeDsPercent?: number;
  minSettled?: number;
  /** True if only chargebacks for fraud count, in the number and in the amount. */
  countsFraudChargebacks?: true;
  /** True if authorisations that test cards count, among all authorisations. */
  countsEnumeration?: true;
  /** True if fraud reports count as well as disputes. */
  countsFraud: boolean;
  /** True if the ratio uses the settled payments of the previous month. */
  isOverMonthBefore: boolean;
};

const visaSource =
  'https://support.checkout.com/hc/en-us/articles/23330844282514-What-are-the-thresholds-for-disputes-and-fraud-under-Visa-s-Acquirer-Monitoring-Program-VAMP';
const enumerationSource =
  'https://corporate.visa.com/content/dam/VCOM/corporate/visa-perspectives/security-and-trust/documents/visa-acquirer-monitoring-program-fact-sheet-2025.pdf';
const mastercardSource = 'https://docs.antom.com/ac/merchant_service/card_monitor';

const regionSource = 'https://www.presolve.co/blog/visa-acquirer-monitoring-program-vamp-guide';
const efmSource = 'https://www.payvision.com/services/scheme-updates/mastercard-revised-standards-fraud-merch-compl/';
const checked = '2026-11-28';

/**
 * All of them must be reached, by the payments of the month before; their least number is from kount.com. Assumed: Europe is where the law
 * requires strong authentication. Australia has lower limits, and Germany, Liechtenstein and Switzerland none; a region does not tell these apart.
 */
const excessiveFraud = {
  name: 'EFM',
  title: 'Mastercard Excessive Fraud Merchant',
  scheme: 'MASTERCARD',
  since: '2019-10',
  ratioBps: 50,
  minUsd: 50_000,
  minSettled: 1000,
  countsFraudChargebacks: true,
  countsFraud: false,
  isOverMonthBefore: true,
  source: efmSource,
  checked,
} as const;

/**
 * The limits by region. Visa noticed merchants above 220 from June 2025 on, and fines them since October. Latin America began with 150; the Middle East and
 * North Africa keep 220, at far fewer cases. No published limits of Visa's MERP (Asia-Pacific) were found, so it is not among them.
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
    checked,
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
    checked,
  },
  {
    name: 'VAMP',
    title: 'Visa Acquirer Monitoring Program, excessive',
    scheme: 'VISA',
    since: '2025-10',
    regions: ['LAC'],
    ratioBps: 150,
    least: 1500,
    countsFraud: true,
    isOverMonthBefore: false,
    source: regionSource,
    checked,
  },
  {
    name: 'VAMP',
    title: 'Visa Acquirer Monitoring Program, excessive',
    scheme: 'VISA',
    since: '2025-10',
    regions: ['MENA'],
    ratioBps: 220,
    least: 100,
    minUsd: 75_000,
    countsFraud: true,
    isOverMonthBefore: false,
    source: visaSource,
    checked,
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
    checked,
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
    checked,
  },
  { ...excessiveFraud, belowThreeDsPercent: 10 },
  { ...excessiveFraud, belowThreeDsPercent: 50, regions: ['EUROPE'] },
  {
    name: 'VAMP_ENUMERATION',
    title: 'Visa Acquirer Monitoring Program, enumeration',
    scheme: 'VISA',
    since: '2025-06',
    ratioBps: 2000,
    least: 300_000,
    countsEnumeration: true,
    countsFraud: false,
    isOverMonthBefore: false,
    source: enumerationSource,
    checked: '2026-11-29',
  },
];

/** The limits in force in a month: for each programme, the latest that had begun, of the region if it has its own. */
export const programmesIn = (month: string, region?: FigureRegion): Programme[] => {
  const latest = new Map<string, Programme>();
  const isOwn = ({ regions }: Programme): boolean => region !== undefined && regions?.includes(region) === true;
  for (const programme of programmes) {
    const known = latest.get(programme.name);
    if (programme.since > month || (programme.regions !== undefined && !isOwn(programme))) continue;
    const isLater = !known || isOwn(programme) || (!isOwn(known) && known.since < programme.since);
    if (isLater) latest.set(programme.name, programme);
  }
  return [...latest.values()];
};

/** The month before one: `2026-05` after `2026-06`. */
export const monthBefore = (month: string): string => {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number - 2)).toISOString().slice(0, 'YYYY-MM'.length);
};

/** From this share of all limits on, the merchant should take notice. */
const nearShare = 0.75;

type ProgrammeStanding = 'ok' | 'near' | 'over' | 'unknown';

type Known = { present: MonthFigures | undefined; before: MonthFigures | undefined };

/** Where a merchant stands: over only if all limits are reached, near if all come close or an amount that decides it was not supplied. */
export const rateState = (programme: Programme, { present, before }: Known) => {
  const { countsEnumeration } = programme;
  const settled = countsEnumeration
    ? present?.authorisations
    : (programme.isOverMonthBefore ? before : present)?.settled;
  const disputes = programme.countsFraudChargebacks ? present?.fraudChargebacks : present?.chargebacks;
  const chargebacks = countsEnumeration ? present?.enumerated : disputes;
  const parts = { chargebacks: chargebacks ?? 0, fraud: programme.countsFraud ? (present?.fraud ?? 0) : 0 };
  const numerator = parts.chargebacks + parts.fraud;
  const isKnown = chargebacks !== undefined && settled !== undefined && settled > 0;
  const ratioBps = isKnown ? Math.round((numerator * 10_000) / settled) : null;
  const { minUsd = 0, minSettled = 0, belowThreeDsPercent } = programme;
  const amountUsd = programme.countsFraudChargebacks ? present?.fraudUsd : present?.amountUsd;
  // Without an amount, or a share of 3-D Secure, its limit may be reached: the merchant is near, and nothing shows that it is over.
  const amount = amountUsd ?? minUsd * nearShare;
  const isAuthenticatedLess = (share: number) =>
    belowThreeDsPercent === undefined || (present?.threeDsPercent ?? 100 * Math.floor(share)) < belowThreeDsPercent;
  const reaches = (share: number) =>
    ratioBps !== null &&
    (settled ?? 0) >= minSettled &&
    isAuthenticatedLess(share) &&
    ratioBps >= programme.ratioBps * share &&
    numerator >= (programme.least ?? 0) * share &&
    amount >= minUsd * share;
  const status: ProgrammeStanding = !isKnown ? 'unknown' : reaches(1) ? 'over' : reaches(nearShare) ? 'near' : 'ok';
  return { numerator, denominator: settled ?? null, ratioBps, amountUsd: amountUsd ?? null, status, parts };
};
