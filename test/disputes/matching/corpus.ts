import type { Scheme } from '#core/kernel/card/schemes.ts';
import { iso, milliseconds } from '#core/kernel/clock.ts';
import { formatAmount } from '#core/kernel/money/money.ts';
import { matchCharges } from '#disputes/matching/match.ts';
import type { ChargeFacts, DisputedTransaction } from '#disputes/matching/match-evidence.ts';
import { numbers } from '#test/bench/lookup-samples.ts';
import { makeArn } from '#test/support/arns.ts';

/**
 * Synthetic alerts with the charges among which each is searched, and the charge that each is about. The classes are what issuers,
 * networks and processors do to the data: shifted dates, foreign currencies, truncated descriptors, reissued cards, lost zeros.
 */

export type CorpusCharge = ChargeFacts & { name: string };

export type CorpusCase = {
  evidence: string;
  disputed: DisputedTransaction;
  charges: readonly CorpusCharge[];
  /** The name of the charge that the alert is about; null if it is not among them. */
  truth: string | null;
  /** True if what is known suffices to tell, so that no person is needed. */
  isDecidable: boolean;
};

const start = Date.parse('2026-03-02T10:00:00Z');
const perClass = 25;

type Pick = (below: number) => number;
type CardOfCase = { first6: string; last4: string; brand: Scheme };

const bins: readonly (readonly [string, Scheme])[] = [
  ['411111', 'VISA'],
  ['424242', 'VISA'],
  ['555555', 'MASTERCARD'],
  ['222300', 'MASTERCARD'],
  ['378282', 'AMEX'],
];

const digits = (pick: Pick, length: number): string => Array.from({ length }, () => pick(10)).join('');

const newArn = (pick: Pick): string => makeArn(`7${digits(pick, 21)}`);
const newCode = (pick: Pick): string => `${1 + pick(9)}${digits(pick, 5)}`;

const newCard = (pick: Pick): CardOfCase => {
  const [first6, brand] = bins[pick(bins.length)] ?? ['411111', 'VISA'];
  return { first6, brand, last4: digits(pick, 4) };
};

/** The events around one purchase: its charge, other charges of its card, and charges of other cards that end alike. */
const scene = (pick: Pick) => {
  const card = newCard(pick);
  const at = start + pick(60) * milliseconds.day + pick(24) * milliseconds.hour;
  const minor = BigInt(500 + pick(40_000));
  const shop = `${['NORTHWIND', 'BLUEBIRD', 'TEAHOUSE', 'LUMEN'][pick(4)]}*ORDER ${digits(pick, 4)}`;
  const charge = (name: string, change: Partial<CorpusCharge> = {}): CorpusCharge => {
    const money = change.money ?? { minor, currency: 'USD' };
    return {
      ...{
        name,
        ...card,
        arn: null,
        authCode: null,
        captured: money.minor,
        descriptor: shop,
        references: [`ref_${name}`],
      },
      date: iso(at),
      ...change,
      money,
    };
  };
  const disputed = (change: Partial<DisputedTransaction> = {}): DisputedTransaction => ({
    ...{ card: `${card.first6}xxxxxx${card.last4}`, arn: '', authCode: '', descriptor: shop },
    ...{ amount: formatAmount({ minor, currency: 'USD' }), currency: 'USD', transactionAt: iso(at) },
    ...change,
  });
  const other = (name: string, change: Partial<CorpusCharge> = {}): CorpusCharge =>
    charge(name, {
      money: { minor: minor + BigInt(100 + pick(9000)), currency: 'USD' },
      date: iso(at - pick(6) * milliseconds.day),
      authCode: newCode(pick),
      ...change,
    });
  return { card, at, minor, shop, charge, disputed, other };
};

type Scene = ReturnType<typeof scene>;
type Made = Omit<CorpusCase, 'evidence'>;

const days = (count: number): number => count * milliseconds.day;
const usd = (minor: bigint): string => formatAmount({ minor, currency: 'USD' });

/** Each class by its name. */
const classes: Readonly<Record<string, (one: Scene, pick: Pick) => Made>> = {
  'ARN, date shifted by up to ten days': ({ at, charge, disputed, other }, pick) => {
    const arn = newArn(pick);
    return {
      disputed: disputed({ arn, transactionAt: iso(at + days(pick(10))), descriptor: '' }),
      charges: [other('a'), charge('right', { arn }), charge('twin', { arn: newArn(pick) })],
      ...{ truth: 'right', isDecidable: true },
    };
  },
  'ARN, amount in the issuer’s currency': ({ minor, charge, disputed, other }, pick) => {
    const arn = newArn(pick);
    const amount = formatAmount({ minor: (minor * 92n) / 100n, currency: 'EUR' });
    return {
      disputed: disputed({ arn, amount, currency: 'EUR' }),
      charges: [charge('right', { arn }), other('a')],
      ...{ truth: 'right', isDecidable: true },
    };
  },
  'authorization code, other purchases of the card': ({ charge, disputed, other }, pick) => {
    const authCode = newCode(pick);
    return {
      disputed: disputed({ authCode }),
      charges: [charge('twin', { authCode: newCode(pick) }), charge('right', { authCode }), other('a')],
      ...{ truth: 'right', isDecidable: true },
    };
  },
  'authorization code without its leading zeros': ({ charge, disputed, other }, pick) => {
    const authCode = `0${1 + pick(9)}${digits(pick, 4)}`;
    return {
      disputed: disputed({ authCode: authCode.replace(/^0+/, '') }),
      charges: [charge('right', { authCode }), charge('twin', { authCode: newCode(pick) }), other('a')],
      ...{ truth: 'right', isDecidable: true },
    };
  },
  'authorization code in lower case, amount in the issuer’s currency': ({ charge, disputed, other }, pick) => {
    const authCode = `${digits(pick, 4)}AB`;
    return {
      disputed: disputed({ authCode: authCode.toLowerCase(), amount: '77.10', currency: 'GBP' }),
      charges: [other('a'), charge('right', { authCode })],
      ...{ truth: 'right', isDecidable: true },
    };
  },
  'card, amount and day': ({ at, charge, disputed, other }, pick) => ({
    disputed: disputed({ transactionAt: iso(at + days(pick(2))), descriptor: '' }),
    charges: [other('a'), charge('right'), other('b')],
    ...{ truth: 'right', isDecidable: true },
  }),
  'card, amount and descriptor, date of posting': ({ at, charge, disputed, other }, pick) => ({
    disputed: disputed({ transactionAt: iso(at + days(3 + pick(4))) }),
    charges: [charge('right'), other('a')],
    ...{ truth: 'right', isDecidable: true },
  }),
  'card and amount only, date of posting': ({ at, charge, disputed, other }, pick) => ({
    disputed: disputed({ transactionAt: iso(at + days(3 + pick(4))), descriptor: '' }),
    charges: [charge('right', { descriptor: '' }), other('a')],
    ...{ truth: 'right', isDecidable: false },
  }),
  'descriptor cut off': ({ shop, at, charge, disputed, other }, pick) => ({
    disputed: disputed({ descriptor: shop.slice(0, 9 + pick(6)), transactionAt: iso(at + days(3)) }),
    charges: [other('a'), charge('right')],
    ...{ truth: 'right', isDecidable: true },
  }),
  'descriptor of another shop': ({ charge, disputed }) => ({
    disputed: disputed({ descriptor: 'GARDEN CENTRE 81' }),
    charges: [charge('wrong')],
    ...{ truth: null, isDecidable: false },
  }),
  'reissued card with an ARN': ({ card, charge, disputed, other }, pick) => {
    const arn = newArn(pick);
    return {
      disputed: disputed({ arn }),
      charges: [
        charge('right', { arn, last4: String((Number(card.last4) + 1) % 10_000).padStart(4, '0') }),
        other('a'),
      ],
      ...{ truth: 'right', isDecidable: false },
    };
  },
  'part of the authorization captured': ({ minor, charge, disputed, other }, pick) => {
    const captured = (minor * 3n) / 5n;
    const isCoded = pick(2) === 0;
    const authCode = newCode(pick);
    return {
      disputed: disputed({ amount: usd(captured), authCode: isCoded ? authCode : '' }),
      charges: [charge('right', { captured, authCode }), other('a')],
      ...{ truth: 'right', isDecidable: true },
    };
  },
  'tip, authorization code': ({ minor, charge, disputed, other }, pick) => {
    const authCode = newCode(pick);
    return {
      disputed: disputed({ amount: usd((minor * BigInt(110 + pick(15))) / 100n), authCode }),
      charges: [charge('right', { authCode }), other('a')],
      ...{ truth: 'right', isDecidable: true },
    };
  },
  'tip, nothing else': ({ minor, charge, disputed }, pick) => ({
    disputed: disputed({ amount: usd((minor * BigInt(110 + pick(15))) / 100n) }),
    charges: [charge('right')],
    ...{ truth: 'right', isDecidable: false },
  }),
  'one of two shipments, authorization code': ({ minor, charge, disputed, other }, pick) => {
    const authCode = newCode(pick);
    return {
      disputed: disputed({ amount: usd(minor / 3n), authCode }),
      charges: [other('a'), charge('right', { authCode })],
      ...{ truth: 'right', isDecidable: true },
    };
  },
  'monthly subscription': ({ at, charge, disputed }, pick) => ({
    disputed: disputed({ transactionAt: iso(at + days(pick(2))) }),
    charges: [-1, 0, 1].map((month) =>
      charge(month === 0 ? 'right' : `m${month}`, { date: iso(at + days(30 * month)) }),
    ),
    ...{ truth: 'right', isDecidable: true },
  }),
  'weekly subscription, date of posting': ({ at, charge, disputed }, pick) => ({
    disputed: disputed({ transactionAt: iso(at + days(3 + pick(2))) }),
    charges: [-1, 0, 1].map((week) => charge(week === 0 ? 'right' : `w${week}`, { date: iso(at + days(7 * week)) })),
    ...{ truth: 'right', isDecidable: false },
  }),
  'two purchases alike on one day': ({ at, charge, disputed }, pick) => ({
    disputed: disputed(),
    charges: [charge('right'), charge('twin', { date: iso(at + pick(20) * milliseconds.hour) })],
    ...{ truth: 'right', isDecidable: false },
  }),
  'processor without BINs: another brand': ({ card, charge, disputed }) => ({
    disputed: disputed(),
    charges: [charge('wrong', { first6: '', brand: card.brand === 'VISA' ? 'MASTERCARD' : 'VISA', descriptor: '' })],
    ...{ truth: null, isDecidable: false },
  }),
  'processor without BINs: last four digits, amount and day': ({ charge, disputed }) => ({
    disputed: disputed({ descriptor: '' }),
    charges: [charge('right', { first6: '' })],
    ...{ truth: 'right', isDecidable: false },
  }),
  'processor without BINs: authorization code': ({ charge, disputed, other }, pick) => {
    const authCode = newCode(pick);
    return {
      disputed: disputed({ authCode }),
      charges: [charge('right', { first6: '', authCode }), other('a', { first6: '' })],
      ...{ truth: 'right', isDecidable: true },
    };
  },
  'ARN of zeros': ({ charge, disputed, other }) => ({
    disputed: disputed({ arn: '0'.repeat(23) }),
    charges: [other('a', { arn: '0'.repeat(23) }), charge('right')],
    ...{ truth: 'right', isDecidable: true },
  }),
  'ARN with a wrong check digit': ({ charge, disputed, other }, pick) => {
    const arn = newArn(pick);
    const wrong = `${arn.slice(0, -1)}${(Number(arn.at(-1)) + 1) % 10}`;
    return {
      disputed: disputed({ arn: wrong }),
      charges: [other('a', { arn: wrong }), charge('right', { arn })],
      ...{ truth: 'right', isDecidable: true },
    };
  },
  'ARN of another card': ({ charge, disputed }, pick) => {
    const arn = newArn(pick);
    return {
      disputed: disputed({ arn }),
      charges: [charge('wrong', { ...newCard(pick), last4: '0000', arn, money: { minor: 77n, currency: 'USD' } })],
      ...{ truth: null, isDecidable: false },
    };
  },
  'reference of the card network': ({ minor, charge, disputed, other }, pick) => {
    const transactionId = `4${digits(pick, 14)}`;
    return {
      disputed: disputed({ transactionId, amount: formatAmount({ minor, currency: 'CAD' }), currency: 'CAD' }),
      charges: [other('a'), charge('right', { first6: '', references: ['ch_1', transactionId] })],
      ...{ truth: 'right', isDecidable: true },
    };
  },
  'charge that is not there': ({ at, charge, disputed, other }, pick) => ({
    disputed: disputed(),
    charges: [other('a'), charge('old', { date: iso(at - days(8 + pick(20))) })],
    ...{ truth: null, isDecidable: false },
  }),
  'charge that is not there, another card that ends alike': ({ card, charge, disputed }) => ({
    disputed: disputed(),
    charges: [charge('wrong', { first6: card.first6 === '411111' ? '424242' : '411111', brand: 'VISA' })],
    ...{ truth: null, isDecidable: false },
  }),
};

/** All cases, the same at each call. */
export const corpus = (): CorpusCase[] =>
  Object.entries(classes).flatMap(([evidence, make], index) => {
    const pick = numbers(index + 1);
    return Array.from({ length: perClass }, () => ({ evidence, ...make(scene(pick), pick) }));
  });

export type Scored = { evidence: string; total: number; decidable: number; right: number; wrong: number };

/** Scores the matcher on the corpus, by class: how many it decides, rightly and wrongly. */
export const scoreCorpus = (cases: readonly CorpusCase[]): Scored[] => {
  const scores = new Map<string, Scored>();
  for (const { evidence, disputed, charges, truth, isDecidable } of cases) {
    const score = scores.get(evidence) ?? { evidence, total: 0, decidable: 0, right: 0, wrong: 0 };
    const match = matchCharges(disputed, charges, { factsOf: (charge) => charge, isWhole: true });
    score.total += 1;
    if (isDecidable) score.decidable += 1;
    if (match.found === 'one' && match.charge.name === truth) score.right += 1;
    if (match.found === 'one' && match.charge.name !== truth) score.wrong += 1;
    scores.set(evidence, score);
  }
  return [...scores.values()];
};
