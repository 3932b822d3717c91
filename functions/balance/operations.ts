import { defineOperation } from '../core/operation.ts';
import { Balance, BalanceBody, BalanceParams } from './schemas.ts';

export const balance = defineOperation({
  area: 'balance',
  name: 'balance',
  summary: "Show a payment site's funds",
  description:
    '`available` is what could be withdrawn, by currency; `reserved` what is kept back for refunds and payouts under way and ' +
    'for open dispute alerts. Nothing is withdrawn. Not to be called from a browser: it takes the rcode.',
  method: 'POST',
  path: '/api/v3/{id}/balance',
  auth: 'site',
  params: BalanceParams,
  body: BalanceBody,
  formats: ['json', 'form'],
  reply: Balance,
  errorShape: 'transaction',
  errors: ['rcode_wrong', 'site_not_for_payments'],
  grants: { table: ['BatchGetItem'], secrets: ['encryption'] },
  memoryMegabytes: 512,
});

export const balanceOperations = [balance] as const;
