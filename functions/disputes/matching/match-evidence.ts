import { schemeOf } from '#core/kernel/card/card.ts';
import { maskCardNumbers } from '#core/kernel/card/card-numbers.ts';
import type { Scheme } from '#core/kernel/card/schemes.ts';
import { milliseconds } from '#core/kernel/clock.ts';
import { normaliseDescriptor } from '#core/kernel/descriptor.ts';
import { formatAmount, type Money, parseAmount } from '#core/kernel/money/money.ts';
import { comparableAuthCode, identifyingArn } from './identifiers.ts';

/** The evidence for and against a charge being the one that an alert is about. Pure. */

/** An alert's facts about the transaction; texts are empty if it states none. */
export type DisputedTransaction = {
  /** `411111xxxxxx1111`. */
  card: string;
  arn: string;
  authCode: string;
  /** Canonical decimals of the currency; issuers may state their cardholder's currency. */
  amount: string;
  currency: string;
  disputeAmount?: string;
  disputeCurrency?: string;
  /** ISO; empty: not known. */
  transactionAt: string;
  descriptor?: string;
  /** The network's name for the transaction. */
  transactionId?: string;
};

/** The facts of a charge, wherever it was made; null or empty where its source has none. */
export type ChargeFacts = {
  first6: string;
  last4: string;
  /** Where the source names it. */
  brand: Scheme | null;
  arn: string | null;
  authCode: string | null;
  /** As it was charged, and what was captured of it in minor units of the same currency; null: not known. */
  money: Money;
  captured: bigint | null;
  /** ISO. */
  date: string;
  descriptor: string;
  /** The processor's and the network's names for it. */
  references: readonly string[];
};

export const traits = ['arn', 'reference', 'auth_code', 'card', 'amount', 'date', 'descriptor'] as const;
export type Trait = (typeof traits)[number];

/** `differs`: unequal, for a reason that occurs with the right charge. `unknown`: one side does not say. */
export const verdicts = ['agrees', 'partly', 'unknown', 'differs', 'contradicts'] as const;
export type TraitVerdict = (typeof verdicts)[number];

export type TraitVerdicts = Readonly<Record<Trait, TraitVerdict>>;

/**
 * The level of evidence. `certain`: a number identifies the charge. `sufficient`: card, amount and one more agree. `weak`: nothing
 * contradicts, and a person has to decide. `excluded`: something contradicts.
 */
export type MatchLevel = 'certain' | 'sufficient' | 'weak' | 'excluded';

export type MatchEvidence = { level: MatchLevel; score: number; verdicts: TraitVerdicts };

/** Points of each trait; a charge has at most 100. */
const points = { arn: 60, reference: 60, auth_code: 35, card: 25, amount: 15, date: 10, descriptor: 10 } as const;
const shareOf = { agrees: 1, partly: 0.4, unknown: 0, differs: 0, contradicts: 0 } as const satisfies Record<
  TraitVerdict,
  number
>;

/** `rateOf`: units of the second currency for one of the first, where known. */
export type RateOf = (from: string, to: string) => number | undefined;

/** `isNamed`: the merchant's own order for the alert names the charge. */
type EvidenceOptions = { rateOf?: RateOf | undefined; isNamed?: boolean };

/** Compares an alert with a charge, trait by trait. */
export const matchEvidenceOf = (
  disputed: DisputedTransaction,
  charge: ChargeFacts,
  { rateOf = () => undefined, isNamed = false }: EvidenceOptions = {},
): MatchEvidence => {
  const arn = compare(identifyingArn(disputed.arn), identifyingArn(charge.arn));
  const reference = isNamed ? 'agrees' : referenceVerdict(disputed, charge);
  const code = compare(comparableAuthCode(disputed.authCode), comparableAuthCode(charge.authCode));
  const card = cardVerdict(disputed.card, charge);
  const isNumbered = arn === 'agrees' || reference === 'agrees';
  const isCoded = code === 'agrees' && (card === 'agrees' || card === 'partly');
  const amount = amountVerdict(disputed, charge, rateOf, isNumbered ? 'numbered' : isCoded ? 'coded' : 'neither');
  const date = dateVerdict(disputed, charge, isNumbered || isCoded);
  const descriptor = descriptorVerdict(disputed, charge, isNumbered || isCoded);
  const found = {
    arn,
    reference,
    auth_code: code,
    card,
    amount,
    date,
    descriptor,
  };
  return { level: toLevel(found, isNumbered, isCoded), score: toScore(found), verdicts: found };
};

const toLevel = (found: TraitVerdicts, isNumbered: boolean, isCoded: boolean): MatchLevel => {
  if (traits.some((trait) => found[trait] === 'contradicts')) {
    // A number names this charge, but something else contradicts: the card was reissued, or the number belongs to another charge.
    return isNumbered ? 'weak' : 'excluded';
  }
  if (isNumbered || isCoded) return 'certain';
  const isSupported = found.date === 'agrees' || found.descriptor === 'agrees';
  return found.card === 'agrees' && found.amount === 'agrees' && isSupported ? 'sufficient' : 'weak';
};

const toScore = (found: TraitVerdicts): number =>
  Math.min(
    100,
    traits.reduce((sum, trait) => sum + points[trait] * shareOf[found[trait]], 0),
  );

const compare = (one: string | undefined, other: string | undefined): TraitVerdict =>
  one === undefined || other === undefined ? 'unknown' : one === other ? 'agrees' : 'contradicts';

/** Shorter texts may be equal by chance. */
const shortestReference = 8;

/** Different references contradict nothing: networks, processors and merchants have names of their own for one payment. */
const referenceVerdict = ({ transactionId = '' }: DisputedTransaction, { references }: ChargeFacts): TraitVerdict =>
  // Alerts contain digits that look like a card number only as a mask.
  transactionId.length >= shortestReference &&
  references.some((one) => one === transactionId || maskCardNumbers(one) === transactionId)
    ? 'agrees'
    : 'unknown';

/** The ends of a masked card number, `411111xxxxxx1111`; undefined if the text is none. */
export const endsOfCard = (card: string): { first6: string; last4: string } | undefined => {
  const [, first6, last4 = ''] = /^(\d{6})\D+(\d{4})$/.exec(card) ?? [];
  return first6 === undefined ? undefined : { first6, last4 };
};

type CardFacts = Pick<ChargeFacts, 'first6' | 'last4'> & Partial<Pick<ChargeFacts, 'brand'>>;

/** Checks whether a charge is of an alert's card, as far as both say. */
export const isOfCard = (card: string, charge: CardFacts): boolean => cardVerdict(card, charge) !== 'contradicts';

/** Accepted through Discover's network, so that a processor may name that: stripe.dev/stripe-android, BrandCategory.Discover (2026-11-29). */
const acceptedAsDiscover: readonly Scheme[] = ['DINERS', 'JCB', 'UNIONPAY'];
const isSameBrand = (stated: Scheme, disputed: Scheme): boolean =>
  stated === disputed || (stated === 'DISCOVER' && acceptedAsDiscover.includes(disputed));

/** `partly`: only the last four digits are known of the charge's card, and perhaps its brand. */
const cardVerdict = (card: string, { first6, last4, brand = null }: CardFacts): TraitVerdict => {
  const ends = endsOfCard(card);
  if (!ends || last4 === '') return 'unknown';
  const disputedBrand = schemeOf(ends.first6);
  const isOtherBrand = brand !== null && disputedBrand !== undefined && !isSameBrand(brand, disputedBrand);
  if (last4 !== ends.last4 || isOtherBrand) return 'contradicts';
  if (first6 === '') return 'partly';
  return first6 === ends.first6 ? 'agrees' : 'contradicts';
};

/** Exchange rates of issuers and of the day differ by a few percent. */
const rateTolerance = 0.1;
/** A tip is added after the authorization. */
const tipShare = 0.3;

/**
 * `coded`: an authorization code identifies the charge; then partial captures and split shipments explain a smaller amount.
 * `numbered`: an ARN or a reference does; then any amount is explained. A tip is always possible, but proves nothing.
 */
const amountVerdict = (
  disputed: DisputedTransaction,
  { money, captured }: ChargeFacts,
  rateOf: RateOf,
  identified: 'numbered' | 'coded' | 'neither',
): TraitVerdict => {
  const { amount, currency, disputeAmount = '', disputeCurrency = '' } = disputed;
  const stated = [parseAmount(amount, currency), parseAmount(disputeAmount, disputeCurrency)].filter(
    (one) => typeof one !== 'string',
  );
  const here = stated.filter((one) => one.currency === money.currency);
  const isEqual = ({ minor }: Money) => minor === money.minor || (minor > 0n && minor === captured);
  const [transaction] = here;
  if (transaction && isEqual(transaction)) return 'agrees';
  if (transaction && captured === null && transaction.minor < money.minor) return 'partly';
  if (transaction) {
    const isTip = transaction.minor > money.minor && isAtMostWithTip(transaction, money);
    const isExplained = identified === 'numbered' || (identified === 'coded' && isAtMostWithTip(transaction, money));
    return isExplained || isTip ? 'differs' : 'contradicts';
  }
  const [foreign] = stated;
  const rate = foreign && rateOf(foreign.currency, money.currency);
  if (!foreign || rate === undefined) return 'unknown';
  const converted = asUnits(foreign) * rate;
  const isNear = Math.abs(converted - asUnits(money)) <= rateTolerance * converted;
  if (isNear) return 'partly';
  return identified === 'numbered' ? 'differs' : 'contradicts';
};

const isAtMostWithTip = ({ minor }: Money, charged: Money): boolean =>
  Number(minor) <= Number(charged.minor) * (1 + tipShare);

const asUnits = (money: Money): number => Number(formatAmount(money));

/** Issuers state the day of the purchase or of its posting, in a time zone of their own. */
const nearMilliseconds = 2 * milliseconds.day;
const postedMilliseconds = 7 * milliseconds.day;
/** The time by which the alert's date may be off where a number identifies the payment. */
export const searchedMilliseconds = 31 * milliseconds.day;

const dateVerdict = (
  { transactionAt }: DisputedTransaction,
  { date }: ChargeFacts,
  isIdentified: boolean,
): TraitVerdict => {
  const apart = Math.abs(Date.parse(date) - Date.parse(transactionAt));
  if (Number.isNaN(apart)) return 'unknown';
  if (apart <= nearMilliseconds) return 'agrees';
  if (apart <= postedMilliseconds || (isIdentified && apart <= searchedMilliseconds)) return 'differs';
  return 'contradicts';
};

/** A descriptor cut off by an issuer keeps at least this much. */
const shortestDescriptor = 5;

/** One spelling without what processors and issuers change: accents, width, case. */
const plainWords = (descriptor: string): string =>
  normaliseDescriptor(descriptor.normalize('NFKD').replace(/\p{M}/gu, ''));
/** Without punctuation and spaces. */
const onlyLetters = (descriptor: string): string => plainWords(descriptor).replace(/[^\p{L}\p{N}]/gu, '');
const longWords = (descriptor: string): string[] =>
  plainWords(descriptor)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length >= shortestDescriptor - 1);
/** The first letters, also of what follows a facilitator (`SQ *SHOP`). */
const beginnings = (descriptor: string): string[] =>
  [descriptor, descriptor.replace(/^[^*]*\*/, '')]
    .map((text) => onlyLetters(text).slice(0, shortestDescriptor - 1))
    .filter((text) => text.length === shortestDescriptor - 1);
/** Networks replace letters that are not Latin, each in its way: Müller is MULLER, MUELLER or M LLER. */
const hasOtherLetters = (descriptor: string): boolean => /(?![\p{ASCII}])\p{L}/u.test(descriptor);

/** Truncation and an added city or number are common, so a shared word contradicts nothing. */
const descriptorVerdict = (
  { descriptor = '' }: DisputedTransaction,
  charge: ChargeFacts,
  isIdentified: boolean,
): TraitVerdict => {
  const [one, other] = [onlyLetters(descriptor), onlyLetters(charge.descriptor)];
  if (one.length < shortestDescriptor || other.length < shortestDescriptor) return 'unknown';
  if (one.startsWith(other) || other.startsWith(one)) return 'agrees';
  const parts = [...longWords(charge.descriptor), ...beginnings(charge.descriptor)];
  if ([...longWords(descriptor), ...beginnings(descriptor)].some((part) => parts.includes(part))) return 'partly';
  if (hasOtherLetters(descriptor) !== hasOtherLetters(charge.descriptor)) return 'unknown';
  return isIdentified ? 'differs' : 'contradicts';
};
