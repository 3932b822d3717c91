import { milliseconds, nowMilliseconds } from '../clock.ts';
import { passesLuhn } from './luhn.ts';
import { beginsWithOrderTime, isMarketplaceNumber, type OrderTimes } from './order-numbers.ts';

/**
 * Finds card numbers in free text, both for refusing and for masking them. Separate from core/kernel/card/card.ts, which imports a library's
 * table, because everything that is logged passes through here.
 */

/** First digits of the cards we take, equally many within a row, and the lengths of their numbers (ISO/IEC 7812). */
const ranges: readonly { first: number; last: number; lengths: readonly number[] }[] = [
  { first: 1800, last: 1800, lengths: [15, 16, 17, 18, 19] },
  { first: 2131, last: 2131, lengths: [15, 16, 17, 18, 19] },
  { first: 2221, last: 2720, lengths: [16] },
  { first: 3000, last: 3059, lengths: [14, 16, 19] },
  { first: 3400, last: 3499, lengths: [15] },
  { first: 3500, last: 3599, lengths: [16, 17, 18, 19] },
  { first: 3600, last: 3699, lengths: [14, 16, 19] },
  { first: 3700, last: 3799, lengths: [15] },
  { first: 3800, last: 3999, lengths: [14, 16, 19] },
  { first: 4000, last: 4999, lengths: [13, 16, 18, 19] },
  { first: 5100, last: 5599, lengths: [16] },
  { first: 6011, last: 6011, lengths: [16, 19] },
  { first: 6200, last: 6299, lengths: [14, 15, 16, 17, 18, 19] },
  { first: 6440, last: 6599, lengths: [16, 19] },
  { first: 8100, last: 8199, lengths: [14, 15, 16, 17, 18, 19] },
];
const shortest = 13;
const longest = 19;

/** Checks whether digits are a card number: first digits and length of one of our schemes, and the right check digit. */
const isSchemeCard = (digits: string): boolean => {
  const start = Number(digits.slice(0, 4));
  const range = ranges.find(({ first, last }) => first <= start && start <= last);
  return range?.lengths.includes(digits.length) === true && passesLuhn(digits);
};

/** A number that may be of a scheme that we do not take: national schemes and company cards begin with 2 to 6 too. */
const isForeignCard = (digits: string): boolean => /^[2-6]\d{12,18}$/.test(digits) && passesLuhn(digits);

/** Groups of digits that may be one number: what stands between them is short and made of spaces, dots, dashes and the like. */
const between = /^(?:[\s./_+*|·•−]|\p{Pd}|\p{Cf}){1,4}$/u;

type Group = { at: number; digits: string };
type Run = readonly Group[];
/** A stretch of a text, `to` exclusive. */
type Stretch = { from: number; to: number };

/**
 * UUIDs and digests in hexadecimal: one in 2,300 UUIDs has adjacent digits that pass for a card number.
 */
const hexadecimal =
  /(?<![\p{L}\p{N}])(?:[\da-f]{8}-?(?:[\da-f]{4}-?){3}[\da-f]{12}|[\da-f]{40}|[\da-f]{64})(?![\p{L}\p{N}])/giu;

/** Without a letter it may be a card number, and it may begin with one: a chip's track data goes on with a D and the expiry date. */
const isIdentifier = (found: string): boolean => /[a-f]/i.test(found) && !/^\d{13}/.test(found);

/** A text of the same length without the digits of such identifiers. */
const withoutIdentifiers = (text: string): string =>
  text.replace(hexadecimal, (found) => (isIdentifier(found) ? 'x'.repeat(found.length) : found));

/** As many digits as the shortest card number has, also in groups: a cheap test that rules out most texts. */
const manyDigits = /(?:\p{Nd}[^\p{L}\p{N}]{0,4}){12}\p{Nd}/u;

/** A telephone number in the international form (E.164) has a plus sign in front, which no card number has. */
const maxPhoneDigits = 14;
/** Diners numbers have 14 digits; telephone numbers of Greece, Hungary and the countries with 38 and 39 have fewer. */
const dinersDigits = /^3[0689]\d{12}$/;
const isPhone = (text: string, run: Run): boolean => {
  const digits = run.map((group) => group.digits).join('');
  return text[(run[0]?.at ?? 0) - 1] === '+' && digits.length <= maxPhoneDigits && !dinersDigits.test(digits);
};

const findDigitRuns = (text: string): Run[] => {
  if (!manyDigits.test(text)) return [];
  const runs: Group[][] = [];
  let end = -1;
  for (const { 0: digits, index: at } of withoutIdentifiers(text).matchAll(/\d+/g)) {
    const run = runs.at(-1);
    if (run && at - end <= 4 * 2 && between.test(text.slice(end, at))) run.push({ at, digits });
    else runs.push([{ at, digits }]);
    end = at + digits.length;
  }
  return runs.filter((run) => !isPhone(text, run));
};

const spanGroups = (first: Group, last: Group): Stretch => ({ from: first.at, to: last.at + last.digits.length });

/** A number that is sent reads as the time of an order if that is of the last 400 days, or of the next 35: some begin with the day of delivery. */
const recentOrders = (): OrderTimes => ({
  since: nowMilliseconds() - 400 * milliseconds.day,
  until: nowMilliseconds() + 35 * milliseconds.day,
});
/** What is stored stays as it is, however old it gets. */
const allOrders = (): OrderTimes => ({ ...recentOrders(), since: Date.UTC(2020, 0, 1) });

/** Every sequence of whole groups of a run that forms a card number, whatever other groups come before and after it. */
function* cardWindows(run: Run, orders: OrderTimes, minDigits = shortest): Generator<Stretch> {
  if (isMarketplaceNumber(run.map(({ digits }) => digits))) return;
  for (const [start, first] of run.entries()) {
    let digits = '';
    for (const last of run.slice(start, start + longest)) {
      digits += last.digits;
      if (digits.length > longest) break;
      if (digits.length < minDigits || !isSchemeCard(digits) || beginsWithOrderTime(digits, orders)) continue;
      yield spanGroups(first, last);
    }
  }
}

const isDigit = (code: number): boolean => /^\p{Nd}$/u.test(String.fromCodePoint(code));

/** A decimal digit of any script as an ASCII digit: each script's ten digits are consecutive, and no digit comes just before them. */
const toAsciiDigit = (character: string): string => {
  const code = character.codePointAt(0) ?? 0;
  let value = 0;
  while (value < 9 && isDigit(code - value - 1)) value += 1;
  return String(value);
};

export const plainDigits = (text: string): string =>
  // Digits of another width or script are read by people and processors alike.
  /^\p{ASCII}*$/u.test(text) ? text : text.normalize('NFKC').replace(/(?![0-9])\p{Nd}/gu, toAsciiDigit);

/**
 * Checks whether a text holds a card number, alone or among others, perhaps in groups and over lines. Our own numbers and dates begin
 * differently; few other long numbers look like card numbers by chance. `minDigits`: ignores shorter ones.
 */
export const holdsCardNumber = (text: string, minDigits = shortest): boolean =>
  findDigitRuns(plainDigits(text)).some((run) => !cardWindows(run, recentOrders(), minDigits).next().done);

/** Numbers of 13 digits are no longer issued as cards, but are on most articles (GTIN-13) and are telephone numbers in Germany. */
export const shortestIssued = 14;

/** Month and year, a security code, or both, written onto a card number without a space. */
const joinedDetails = /^(?:\d{3}|(?:0[1-9]|1[0-2])(?:\d\d|20\d\d)(?:\d{3,4})?)$/;

/** Finds a card number at the beginning of a longer group, the rest being details printed after it. */
const joinedWindow = ({ at, digits }: Group): Stretch[] => {
  if (digits.length > longest + 'MMYYYY1234'.length) return [];
  const length = [14, 15, 16, 18, 19].find(
    (one) => isSchemeCard(digits.slice(0, one)) && joinedDetails.test(digits.slice(one)),
  );
  return length === undefined ? [] : [{ from: at, to: at + digits.length }];
};

/** Checks whether a run is grouped as on a printed card: one group, or groups of at least four digits. */
const isPrintedAlone = (run: Run): boolean =>
  run.length <= 5 && run.slice(0, -1).every(({ digits }) => digits.length >= 4) && isForeignCard(joinDigits(run));

const joinDigits = (run: Run): string => run.map(({ digits }) => digits).join('');

/** Everything to be masked, including what may be a card of a scheme that we do not take, if it is printed alone. */
const suspects = (run: Run): Stretch[] => {
  const [first, last] = [run[0], run.at(-1)];
  return [
    ...cardWindows(run, recentOrders()),
    ...run.flatMap(joinedWindow),
    ...(first && last && isPrintedAlone(run) ? [spanGroups(first, last)] : []),
  ];
};

/** Overlapping stretches are merged: which of them is the card cannot be known, and none may show more than its ends. */
const mergeStretches = (stretches: readonly Stretch[]): Stretch[] => {
  const result: Stretch[] = [];
  for (const { from, to } of stretches.toSorted((left, right) => left.from - right.from)) {
    const before = result.at(-1);
    if (before && from < before.to) before.to = Math.max(before.to, to);
    else result.push({ from, to });
  }
  return result;
};

/** Words that may come between a card number and its security code. */
const cardWords =
  'and|card|ccv|cid|code|csc|cvc2?|cvn|cvv2?|date|exp|expiry|expires|expiration|is|month|no|security|thru|valid|year';
const betweenDetails = new RegExp(`^(?:[^\\p{L}\\p{N}]{1,8}|(?:${cardWords})(?![\\p{L}\\p{N}]))`, 'iu');
/** A card, its expiry in two parts and its code; more digits than those belong to something else. */
const maxDetails = 4;

/** Returns what follows a card number, without the groups of three or four digits that may be its security code. */
const withoutCodes = (text: string): string => {
  let [result, rest] = ['', text];
  for (let details = 0; details < maxDetails; ) {
    const [skipped] = betweenDetails.exec(rest) ?? [];
    const [digits] = /^\d{1,4}(?!\d)/.exec(rest) ?? [];
    const taken = skipped ?? digits;
    if (taken === undefined) break;
    if (digits !== undefined) details += 1;
    result += digits !== undefined && digits.length >= 3 ? '*'.repeat(digits.length) : taken;
    rest = rest.slice(taken.length);
  }
  return result + rest;
};

/** `424242******4242`, however long the number is. */
const maskDigits = (digits: string): string => `${digits.slice(0, 6)}******${digits.slice(-4)}`;

/**
 * A text with every card number in it masked, first six and last four digits left, and without the security codes that follow
 * them. A text without any is returned unchanged.
 */
export const maskCardNumbers = (text: string): string => maskStretches(text, suspects);

/** The same, but only for what has first digits and length of a scheme: for text that is stored, where a wrong mask does harm. */
export const maskIssuedCards = (text: string): string =>
  maskStretches(text, (run) => [...cardWindows(run, allOrders(), shortestIssued)]);

const maskStretches = (text: string, stretchesOf: (run: Run) => readonly Stretch[]): string => {
  if (text.length < shortest) return text;
  const read = plainDigits(text);
  const found = mergeStretches(findDigitRuns(read).flatMap(stretchesOf));
  if (found.length === 0) return text;
  let result = read.slice(0, found[0]?.from);
  for (const [index, { from, to }] of found.entries()) {
    result += maskDigits(read.slice(from, to).replace(/\D/g, ''));
    result += withoutCodes(read.slice(to, found[index + 1]?.from));
  }
  return result;
};
