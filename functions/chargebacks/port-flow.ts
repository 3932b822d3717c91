import { connectionOfId } from '../connections/connection.ts';
import { disputesOf } from '../connections/connection-disputes-client.ts';
import { connectionsOf } from '../connections/connection-store.ts';
import { keys } from '../core/keys.ts';
import { keyRing } from '../core/secrets.ts';
import { getItem } from '../core/table.ts';
import { fromMerchantItem } from '../merchants/merchant-row.ts';
import { getSite } from '../merchants/site-store.ts';
import type { DisputeAccount, DisputePort } from '../processors/dispute.ts';
import { disputesAt } from '../processors/disputes-client.ts';
import { siteAccount } from '../processors/sealed-credentials.ts';
import { accountsAt } from '../transactions/processor-webhook-store.ts';

/** The disputes port of an account; undefined if there is nobody left to ask. */
export const portOf = async (account: DisputeAccount): Promise<DisputePort | undefined> => {
  const ring = await keyRing('encryption');
  if ('mid' in account) {
    const connection = connectionOfId(await connectionsOf(account.mid), account.connection);
    return connection && disputesOf(connection, { mid: account.mid, ring });
  }
  const { sid, processor, routeId } = account;
  const route =
    processor === 'sandbox'
      ? sandboxAccount(routeId)
      : (await accountsAt(sid, processor)).find(({ id }) => id === routeId);
  return route && disputesAt(route.processor, siteAccount(route, { sid, ring }));
};

const sandboxAccount = (id: string) => ({
  id,
  processor: 'sandbox' as const,
  ...{ schemes: null, currencies: null, min: null, max: null, sealed: null, shown: {} },
});

/** The merchant of an account, if its chargebacks are managed (`cbm`). */
export const managedMerchantOf = async (account: DisputeAccount): Promise<number | undefined> => {
  const mid = 'mid' in account ? account.mid : (await getSite(account.sid))?.mid;
  if (mid === undefined) return undefined;
  return fromMerchantItem(await getItem(keys.merchant(mid)))?.profile['cbm'] === true ? mid : undefined;
};
