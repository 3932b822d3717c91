import { nowMilliseconds } from '../../core/clock.ts';
import { Refusal } from '../../core/errors.ts';
import { endpoint } from '../../core/http.ts';
import { exponentOf, formatAmount, parseAmount } from '../../core/money.ts';
import { orderHash } from '../../payments/hashes.ts';
import { sandboxShopSign } from './operation.ts';

export const handler = endpoint(sandboxShopSign, async ({ body: { sid, rcode, amount, currency } }) => {
  if (exponentOf(currency) === undefined) throw new Refusal('request_invalid', 'currency: must be a code of ISO 4217');
  const money = parseAmount(amount, currency);
  if (typeof money === 'string') throw new Refusal('request_invalid', `amount: ${money}`);
  const timestamp = String(Math.floor(nowMilliseconds() / 1000));
  return { timestamp, hash: orderHash({ sid, timestamp, total: formatAmount(money), currency }, rcode) };
});
