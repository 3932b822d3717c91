import { keys } from '#core/platform/table/keys.ts';
import { getItems } from '#core/platform/table/table.ts';
import type { ChargebackAction } from '#disputes/alerts/automatic/chargeback-actions.ts';
import { fromBookItem, ownerName, ownersOf } from '#disputes/alerts/automatic/rule-row.ts';
import type { Chargeback } from '../chargeback.ts';
import type { ChargebackRule } from './chargeback-decision.ts';

/** The rules in force for a chargeback, in their order. */
export const readChargebackRules = async (chargeback: Pick<Chargeback, 'sid' | 'mid'>): Promise<ChargebackRule[]> => {
  const owners = ownersOf(chargeback, 'chargebacks');
  const items = await getItems(owners.map((owner) => keys.ruleBook(ownerName(owner))));
  const books = owners.map((owner, index) => fromBookItem<ChargebackAction>(items[index], owner));
  return books.flatMap(({ rules }) => rules).filter(({ enabled }) => enabled);
};
