import { endpoint } from '#core/platform/http/http.ts';
import { readBalance } from '../../balance-flow.ts';
import { toFundsDto } from '../../funds.ts';
import { balanceOperation } from './operation.ts';

export const handler = endpoint(balanceOperation, async ({ params, body }) => {
  const { source, funds } = await readBalance(params.id, body.rcode);
  return { status: 'OK' as const, source, balances: funds.map(toFundsDto) };
});
