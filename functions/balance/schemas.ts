import * as v from 'valibot';
import { Id } from '../core/schema.ts';
import { RcodeField } from '../transactions/request-schemas.ts';

export const BalanceParams = v.object({ id: Id });
export const BalanceBody = v.object({ rcode: RcodeField });

export const Balance = v.object({
  status: v.literal('OK'),
  balances: v.array(v.object({ currency: v.string(), available: v.number(), reserved: v.number() })),
});
