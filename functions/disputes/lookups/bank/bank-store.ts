import { fromOrderClientItem } from '#accounts/merchants/settings/order-profile-row.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem } from '#core/platform/table/table.ts';
import { cardEndsOf } from '#payments/orders/order-row.ts';
import { readOrdersOfCard } from '#payments/orders/order-store.ts';
import { bankStatementOf, demoCard, type StatementCharge } from './bank.ts';

/** The charges of the test card at a merchant, given the name by which providers know it; undefined if there is no such merchant. */
export const readStatement = async (clientId: string): Promise<StatementCharge[] | undefined> => {
  const merchant = fromOrderClientItem(await getItem(keys.orderClient('provider_b', clientId)));
  if (!merchant?.enabled) return undefined;
  const { orders } = await readOrdersOfCard(merchant.mid, cardEndsOf(demoCard));
  return bankStatementOf(orders);
};
