import { createHash } from 'node:crypto';
import { milliseconds } from '#core/kernel/clock.ts';
import { equalSecrets, sha256 } from '#core/kernel/crypto.ts';
import { formatAmount, type Money } from '#core/kernel/money/money.ts';
import { currencyNumber } from '#core/kernel/money/numeric-codes.ts';

/** The hashes of interface §5. The contract prescribes md5; it only proves that the caller knows the rcode. */

const md5 = (text: string): string => createHash('md5').update(text).digest('hex');

/** getstatus, sendauth, resendauth. */
export const siteHash = (sid: number, rcode: string): string => md5(`${sid}${rcode}`);

/** singletx, convertnpay, payout, getpaymentoptionsfrombin, fraudcheck. `total`: in the currency's own decimals. */
export const orderHash = (
  { sid, timestamp, total, currency }: { sid: number; timestamp: string; total: string; currency: string },
  rcode: string,
): string => md5(`${sid}${timestamp}${total}${currency}${rcode}`);

type SignedOrder = { sid: number; timestamp: string; total: Money };

/** An amount with each number of decimals in which callers write it: `5`, `5.0` and `5.00`. */
const spellTotal = (total: Money): string[] => {
  const canonical = formatAmount(total);
  const [whole = '', decimals = ''] = canonical.split('.');
  const least = decimals.replace(/0+$/, '').length;
  const most = Math.max(decimals.length, 2);
  return Array.from({ length: most - least + 1 }, (_, index) => {
    const shown = decimals.padEnd(most, '0').slice(0, least + index);
    return shown === '' ? whole : `${whole}.${shown}`;
  });
};

/** The hashes of a call, for each spelling of its total and of its currency: all prove the same. */
export const orderHashes = ({ sid, timestamp, total }: SignedOrder, rcode: string): string[] => {
  const { currency } = total;
  const digits = currencyNumber(currency) ?? currency;
  const currencies = [...new Set([currency, currency.toLowerCase(), digits])];
  // After a whole number, a code without its zeros would also prove another amount: 1000 and 36 read as 100 and 036.
  const short = digits.replace(/^0+/, '');
  return spellTotal(total).flatMap((text) =>
    [...new Set([...currencies, ...(text.includes('.') ? [short] : [])])].map((code) =>
      orderHash({ sid, timestamp, total: text, currency: code }, rcode),
    ),
  );
};

/** What a hash must be of, with the amount in the spelling that is always right. */
export const orderHashWords = (total: Money): string =>
  'hash: must be md5 of sid, timestamp, total amount, currency and rcode, joined; ' +
  `the total amount is ${formatAmount(total)} and the currency ${total.currency}.`;

/** flagcapture. `amount`: in the currency's own decimals. */
export const captureHash = (sid: number, amount: string, rcode: string): string => md5(`${sid}${amount}${rcode}`);

type Verified = { txid: number; status: string; amount: string; currency: string; tx_action: string };

/** The hash by which a merchant verifies a result: interface §5, 4. */
export const signVrfy = (sid: number, rcode: string, { txid, status, amount, currency, tx_action }: Verified): string =>
  sha256([sid, rcode, txid, status, amount, currency, tx_action].join(';'));

/** Which of a site's rcodes a hash was made with; undefined if none. Every rcode is tried, so that the time reveals nothing. */
export const rcodeOfHash = (
  hash: string,
  rcodes: readonly string[],
  expected: (rcode: string) => string | readonly string[],
): string | undefined => {
  const isRight = (rcode: string): boolean =>
    [expected(rcode)].flat().filter((one) => equalSecrets(hash.toLowerCase(), one)).length > 0;
  const matches = rcodes.filter(isRight);
  return matches[0];
};

/** Which of a site's rcodes was sent; undefined if none. */
export const sentRcode = (sent: string, rcodes: readonly string[]): string | undefined =>
  rcodes.filter((rcode) => equalSecrets(sent, rcode))[0];

const tolerance = 15 * milliseconds.minute;

export const timestampWords = 'must be Unix seconds of ten digits, Unix milliseconds of 13, or YYYYMMDDhhmmss in UTC';

/**
 * Describes the problem of a hash's `timestamp`, in words that follow the field's name; undefined if there is none. It must be Unix time in
 * seconds (10 digits) or milliseconds (13), or YYYYMMDDhhmmss in UTC, within 15 minutes of `at` (milliseconds).
 */
export const timestampProblem = (timestamp: string, at: number): string | undefined => {
  const time = readUnixTime(timestamp);
  if (time === undefined) return timestampWords;
  if (Math.abs(at - time) <= tolerance) return undefined;
  const seconds = Math.floor(at / milliseconds.second);
  return `is more than 15 minutes away from this server's time, which is ${seconds} (${new Date(at).toISOString().slice(0, 19)}Z)`;
};

const readUnixTime = (timestamp: string): number | undefined => {
  if (/^\d{10}$/.test(timestamp)) return Number(timestamp) * milliseconds.second;
  if (/^\d{13}$/.test(timestamp)) return Number(timestamp);
  const parts = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(timestamp);
  if (!parts) return undefined;
  const [, year, month, day, hour, minute, second] = parts;
  const written = `${year}-${month}-${day}T${hour}:${minute}:${second}.000Z`;
  const time = Date.parse(written);
  // Date.parse takes 30 February for 2 March.
  return !Number.isNaN(time) && new Date(time).toISOString() === written ? time : undefined;
};
