import { schemeOf, schemeRules } from '#core/kernel/card/card.ts';
import { maskCardNumbers } from '#core/kernel/card/card-numbers.ts';
import { datePart, iso } from '#core/kernel/clock.ts';
import { countedAmount } from '#core/kernel/money/counted-minor.ts';
import { exponentOf, parseAmount, usualExponent } from '#core/kernel/money/money.ts';
import { createLetter, type Letter } from '#core/platform/mail/letter.ts';
import { timeText } from '#core/platform/mail/letter-words.ts';
import type { StoredSummary } from '#disputes/alerts/alert-row.ts';
import { claimText } from '#disputes/alerts/outbox/reason-words.ts';
import type { Block } from '#disputes/chargebacks/letter/issuer-letter.ts';
import { isAvoided } from '#disputes/reports/avoided.ts';
import type { alertReportOf } from '#disputes/reports/report.ts';

/** The report of a month for the people of a merchant, as an e-mail and as a page. Pure. */

type Sums = readonly { currency: string; amount: string }[];

/** The facts of a month. `spent`: the fees for its alerts. `isWhole`: `alerts` are all of them, not only the newest. */
export type MonthFacts = {
  totals: ReturnType<typeof alertReportOf>['totals'];
  spent: Sums;
  alerts: readonly StoredSummary[];
  isWhole: boolean;
};

/** `month`: `2026-10`. `at`: when it was read (ISO). */
export type ReportFacts = { merchant: string; month: string; now: MonthFacts; before: MonthFacts; at: string };

/** The first and last day of a month, such as `2026-10`, or of one some months before it. */
export const reportSpan = (month: string, back = 0): { from: string; to: string } => {
  const [year = 0, number = 1] = month.split('-').map(Number);
  const day = (months: number, date: number) => datePart(iso(Date.UTC(year, number - 1 + months, date)));
  return { from: day(-back, 1), to: day(1 - back, 0) };
};

/** Reports begin on the first day of the next month, once its last alerts have been counted, and can be made up for on two days more. */
const [earliest, latest] = ['01T06', '04'];

/** The month whose reports are due at a time (ISO); undefined on the other days. */
export const monthDue = (at: string): string | undefined => {
  const inMonth = at.slice('2026-11-'.length);
  return inMonth >= earliest && inMonth < latest ? reportSpan(at, 1).from.slice(0, '2026-10'.length) : undefined;
};

export const monthName = (month: string): string =>
  new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(Date.parse(`${month}-01`));

const line: Omit<Block, 'text'> = { size: 10, weight: 'plain', isQuiet: false, after: 2 };
const quiet: Omit<Block, 'text'> = { ...line, size: 9, isQuiet: true };
const row = (text: string, now: string, before: string): Block => ({ ...line, text, cells: [now, before] });
const head = (text: string, { month, before }: Months): Block[] => [
  { ...quiet, text: '' },
  { ...line, text, weight: 'bold', size: 11, cells: [month, before] },
];
type Months = { month: string; before: string };

/** Amounts of one currency, in its minor units. Sums of thousands stay exact numbers: see `countedAmount`. */
const moneyText = (minor: number, currency: string): string => {
  const decimals = exponentOf(currency) ?? usualExponent;
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  // Fees of zero are taken off as a negative zero.
  const format = { ...digits, signDisplay: 'negative' } as const;
  return `${new Intl.NumberFormat('en', format).format(minor / 10 ** decimals)} ${currency}`.replace('-', '−');
};

/** The total of some sums in a currency. Single amounts were bounded when they were counted; totals are not. */
const minorOf = (sums: Sums, currency: string): number => {
  const money = parseAmount(sums.find((one) => one.currency === currency)?.amount ?? '0', currency);
  return typeof money === 'string' ? 0 : Number(money.minor);
};

const savedIn = ({ totals, spent }: MonthFacts, currency: string): number =>
  minorOf(totals.prevented, currency) - minorOf(spent, currency);

/** Currencies with any money, the one of the most avoided alerts first. */
const findCurrencies = ({ now, before }: ReportFacts): string[] => {
  const all = [now, before].flatMap(({ totals, spent }) => [...totals.prevented, ...totals.lost, ...spent]);
  const count = (currency: string) => now.alerts.filter((one) => one.currency === currency && isAvoided(one)).length;
  return [...new Set(all.map(({ currency }) => currency))].sort(
    (left, right) => count(right) - count(left) || (left < right ? -1 : 1),
  );
};

const moneyRows = ({ now, before }: ReportFacts, currency: string): Block[] => {
  const both = (text: string, read: (facts: MonthFacts) => number): Block =>
    row(text, moneyText(read(now), currency), moneyText(read(before), currency));
  const isPriced = minorOf(now.spent, currency) + minorOf(before.spent, currency) > 0;
  return [
    both('Chargebacks avoided by refunds in time', ({ totals }) => minorOf(totals.prevented, currency)),
    ...(isPriced ? [both('Alert fees', ({ spent }) => -minorOf(spent, currency))] : []),
    ...(isPriced
      ? [{ ...both('Saved after fees', (facts) => savedIn(facts, currency)), weight: 'bold' as const }]
      : []),
    both('Not part of the sum: expired, or charged back before', ({ totals }) => minorOf(totals.lost, currency)),
  ];
};

const share = (part: number, whole: number): string =>
  whole === 0 ? '–' : `${part} of ${whole} (${Math.round((part / whole) * 100)} %)`;

const countRows = ({ now, before }: ReportFacts): Block[] => {
  type Totals = MonthFacts['totals'];
  const both = (text: string, read: (totals: Totals) => number | string): Block =>
    row(text, String(read(now.totals)), String(read(before.totals)));
  const sumAnswered = ({ resolved, declined }: Totals) => resolved + declined;
  return [
    both('Received', ({ received }) => received),
    both('Resolved', ({ resolved }) => resolved),
    both('Declined', ({ declined }) => declined),
    both('Not answered', ({ expired }) => expired),
    both('Withdrawn by the network', ({ withdrawn }) => withdrawn),
    both('Still open', ({ open }) => open),
    both('Answered in time', (totals) => share(totals.in_time, sumAnswered(totals) + totals.expired)),
    both('Answered by rules', (totals) => share(totals.by_rule, sumAnswered(totals))),
  ];
};

const network = ({ card }: StoredSummary): string => {
  const scheme = schemeOf(card.slice(0, 6));
  return scheme === undefined ? 'Not known' : schemeRules(scheme).title;
};

const traits: readonly (readonly [title: string, read: (alert: StoredSummary) => string])[] = [
  ['By network', network],
  ['By reason', claimText],
  ['By issuer', ({ issuer_name }) => issuer_name || 'Not known'],
  ['By rule and person', ({ rule }) => rule?.name ?? 'People'],
];
const maxRows = 6;

/** The avoided amounts in a currency by a trait of alerts: the largest of this month. */
const traitRows = ({ now, before }: ReportFacts, currency: string, read: (alert: StoredSummary) => string): Block[] => {
  const groupAvoided = ({ alerts }: MonthFacts) =>
    Map.groupBy(
      alerts.filter((alert) => isAvoided(alert) && alert.currency === currency),
      read,
    );
  const [present, earlier] = [groupAvoided(now), groupAvoided(before)];
  const sum = (some: readonly StoredSummary[] = []) =>
    some.reduce((total, { amount }) => total + countedAmount(amount, currency), 0);
  const text = (some: readonly StoredSummary[] = []) => `${some.length} · ${moneyText(sum(some), currency)}`;
  return [...new Set([...present.keys(), ...earlier.keys()])]
    .toSorted((left, right) => sum(present.get(right)) - sum(present.get(left)) || (left < right ? -1 : 1))
    .slice(0, maxRows)
    .map((name) => row(name, text(present.get(name)), text(earlier.get(name))));
};

/** The page as paragraphs. Amounts of several currencies are never added up. */
export const reportBlocks = (facts: ReportFacts): Block[] => {
  const { merchant, month, now, before, at } = facts;
  const months = { month: monthName(month), before: monthName(reportSpan(month, 1).from.slice(0, month.length)) };
  const currencies = findCurrencies(facts);
  const several = (currency: string) => (currencies.length > 1 ? `, ${currency}` : '');
  const blocks: Block[] = [
    { ...line, text: merchant, size: 13, weight: 'bold' },
    { ...line, text: headingText(facts), size: 18, weight: 'bold', after: 4 },
    {
      ...quiet,
      text: `Alerts of ${months.month} (UTC), as they stood on ${timeText(at, null)}. The figures of a month change until its last alert is closed.`,
    },
    ...currencies.flatMap((currency) => [...head(`Money${several(currency)}`, months), ...moneyRows(facts, currency)]),
    ...head('Alerts', months),
    ...countRows(facts),
    ...currencies.flatMap((currency) =>
      traits.flatMap(([title, read]) => {
        const rows = traitRows(facts, currency, read);
        return rows.length === 0
          ? []
          : [...head(`Avoided, ${title.toLowerCase()}${several(currency)}`, months), ...rows];
      }),
    ),
    { ...quiet, text: '' },
    {
      ...quiet,
      text: 'Avoided: refunded in time, by the merchant or by a network, counted by the amount claimed. It might have become a chargeback; nobody knows that it would have.',
    },
    ...(now.isWhole && before.isWhole
      ? []
      : [
          {
            ...quiet,
            text: 'The parts by network, reason, issuer and rule count the newest 1,000 alerts of a month only.',
          },
        ]),
  ];
  return blocks.map((block) => ({ ...block, text: maskCardNumbers(block.text) }));
};

const headingText = (facts: ReportFacts): string => {
  const [currency, ...others] = findCurrencies(facts);
  if (currency === undefined) return facts.now.totals.received === 0 ? 'No alerts' : 'Nothing avoided or lost';
  const isPriced = minorOf(facts.now.spent, currency) > 0;
  const more = others.length > 0 ? ', more in other currencies' : '';
  return `${moneyText(savedIn(facts.now, currency), currency)} ${isPriced ? 'saved after fees' : 'avoided'}${more}`;
};

/** The e-mail that the page comes with. */
export const reportLetter = (facts: ReportFacts): Letter => {
  const { month, now, before } = facts;
  const { from, to } = reportSpan(month);
  const name = monthName(month);
  const money = findCurrencies(facts).map((currency): [string, string] => [
    minorOf(now.spent, currency) > 0 ? 'Saved after fees' : 'Avoided by refunds in time',
    `${moneyText(savedIn(now, currency), currency)} (the month before ${moneyText(savedIn(before, currency), currency)})`,
  ]);
  return createLetter({
    subject: `Your report of ${name}: ${headingText(facts)}`,
    kicker: `Report of ${name}`,
    heading: headingText(facts),
    lead: 'The whole report is attached as a PDF. You can stop these e-mails under Your account.',
    rows: [
      ...money,
      ['Alerts', `${now.totals.received} (the month before ${before.totals.received})`],
      ['Not answered', String(now.totals.expired)],
    ],
    link: { path: `#/reports?from=${from}&to=${to}`, words: 'Open the report' },
  });
};
