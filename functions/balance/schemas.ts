import * as v from 'valibot';
import { Id } from '../core/schema.ts';
import { RcodeField } from '../payments/request-schemas.ts';

export const BalanceParams = v.object({ id: Id });
export const BalanceBody = v.object({ rcode: RcodeField });

export const Balance = v.object({
  status: v.literal('OK'),
  source: v.pipe(
    v.picklist(['books', 'processor']),
    v.description('Whose word it is: that of our own books, or that of the only processor account the site has.'),
  ),
  balances: v.array(v.object({ currency: v.string(), available: v.number(), reserved: v.number() })),
});
