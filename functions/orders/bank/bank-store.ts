import { keys } from '../../core/keys.ts';
import { getItem } from '../../core/table.ts';
import { fromOrderClientItem } from '../../merchants/order-profile-row.ts';
import { endsOf } from '../order-row.ts';
import { readOrdersOfCard } from '../order-store.ts';
import { type Charge, demoCard, statementOf } from './bank.ts';

/** The charges of the test card at a merchant, given the name by which providers know it; undefined if there is no such merchant. */
export const readStatement = async (clientId: string): Promise<Charge[] | undefined> => {
  const merchant = fromOrderClientItem(await getItem(keys.orderClient('provider_b', clientId)));
  if (!merchant?.enabled) return undefined;
  const { orders } = await readOrdersOfCard(merchant.mid, endsOf(demoCard));
  return statementOf(orders);
};
