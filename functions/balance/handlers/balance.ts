import { endpoint } from '../../core/http.ts';
import { booksOf } from '../balance-store.ts';
import { fundsShown } from '../funds.ts';
import { balance } from '../operations.ts';

export const handler = endpoint(balance, async ({ params, body }) => {
  const { funds } = await booksOf(params.id, body.rcode);
  return { status: 'OK' as const, balances: funds.map(fundsShown) };
});
