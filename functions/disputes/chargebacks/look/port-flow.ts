import { fromMerchantItem } from '#accounts/merchants/merchant/merchant-row.ts';
import { getSite } from '#accounts/merchants/site/site-store.ts';
import { keyRing } from '#core/platform/secrets/secrets.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem } from '#core/platform/table/table.ts';
import { connectionOfId } from '#disputes/connections/connection.ts';
import { loadConnectionDisputes } from '#disputes/connections/connection-disputes-client.ts';
import { readConnections } from '#disputes/connections/connection-store.ts';
import { siteAccount } from '#payments/processors/credentials/sealed-credentials.ts';
import type { DisputeAccount, DisputePort } from '#payments/processors/ports/dispute.ts';
import { disputesAt } from '#payments/processors/ports/disputes-client.ts';
import { accountsAt } from '#payments/transactions/settlement/processor-webhook-store.ts';

/** Returns the disputes port of an account; undefined if there is no account left to ask. */
export const loadDisputePort = async (account: DisputeAccount): Promise<DisputePort | undefined> => {
  const ring = await keyRing('encryption');
  if ('mid' in account) {
    const connection = connectionOfId(await readConnections(account.mid), account.connection);
    return connection && loadConnectionDisputes(connection, { mid: account.mid, ring });
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
  schemes: null,
  currencies: null,
  min: null,
  max: null,
  sealed: null,
  shown: {},
});

/** The merchant of an account, if its chargebacks are managed (`cbm`). */
export const findManagedMerchant = async (account: DisputeAccount): Promise<number | undefined> => {
  const mid = 'mid' in account ? account.mid : (await getSite(account.sid))?.mid;
  if (mid === undefined) return undefined;
  return fromMerchantItem(await getItem(keys.merchant(mid)))?.profile['cbm'] === true ? mid : undefined;
};
