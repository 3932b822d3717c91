import { nowMilliseconds } from '#core/kernel/clock.ts';
import { exponentOf, formatAmount, parseAmount } from '#core/kernel/money/money.ts';
import { endpoint } from '#core/platform/http/http.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import { orderHash } from '#payments/payments/order/hashes.ts';
import { sandboxShopSignOperation } from './operation.ts';

/** A clock may have been set back: what lies further ahead than this was signed before that. */
const maxSecondsAhead = 60;
let lastSigned = 0;

/** A hash signs one order, and two payers may order the same within a second: each gets a second of its own. */
const nextSecond = (): number => {
  const now = Math.floor(nowMilliseconds() / 1000);
  lastSigned = lastSigned >= now && lastSigned < now + maxSecondsAhead ? lastSigned + 1 : now;
  return lastSigned;
};

export const handler = endpoint(sandboxShopSignOperation, async ({ body: { sid, rcode, amount, currency } }) => {
  if (exponentOf(currency) === undefined) throw new Refusal('request_invalid', 'currency: must be an ISO 4217 code');
  const money = parseAmount(amount, currency);
  if (typeof money === 'string') throw new Refusal('request_invalid', `amount: ${money}`);
  const timestamp = String(nextSecond());
  return { timestamp, hash: orderHash({ sid, timestamp, total: formatAmount(money), currency }, rcode) };
});
