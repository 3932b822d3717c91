import { nowIso } from '#core/kernel/clock.ts';
import type { KeyClaim } from '#core/platform/idempotency/idempotency-store.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import { canAccessMerchant, checkMerchantAccess, merchantNotFound } from '#core/platform/operation/merchant-access.ts';
import type { Caller } from '#core/platform/operation/operation.ts';
import { keys } from '#core/platform/table/keys.ts';
import { lastNumber, nextNumber } from '#core/platform/table/number-store.ts';
import { ConditionFailedError, getItem, getItems, tryTransact, updateItem } from '#core/platform/table/table.ts';
import { orderClientWrites } from '../settings/order-profile-row.ts';
import { givenFields, type Merchant, merchantServices, type Retailer, type Services, servicesOf } from './merchant.ts';
import {
  fromMerchantItem,
  fromRetailerItem,
  toMerchantItem,
  toRetailerItem,
  toRetailerNameItem,
} from './merchant-row.ts';

type NewFields = { name: string } & Readonly<Record<string, string | number | boolean | undefined>>;

/** Throws oi_merchant_id_taken. */
export const createMerchant = async ({ name, ...fields }: NewFields, claim?: KeyClaim): Promise<Merchant> => {
  const merchant = { mid: await nextNumber('mid'), name, createdAt: nowIso(), profile: givenFields(fields) };
  // Only this call uses the number, so the write needs no condition, and repeating it changes nothing.
  const conflict = await tryTransact({
    merchant: { Put: { Item: toMerchantItem(merchant) } },
    orderClients: orderClientWrites(merchant),
    key: claim?.write(merchant.mid),
  });
  if (claim && conflict?.on('key')) throw claim.overtaken();
  if (conflict) {
    throw new Refusal(
      'oi_merchant_id_taken',
      'oi_merchant_id: another merchant has it; it names one merchant at providers.',
    );
  }
  return merchant;
};

/** Merchants by their numbers, the highest first, which are given out in order. `before`: where the page before has ended. */
export const listMerchants = async (size: number, before?: number) => {
  const last = before === undefined ? await lastNumber('mid') : before - 1;
  const mids = Array.from({ length: Math.min(size, last) }, (_, index) => last - index);
  const items = mids.length === 0 ? [] : await getItems(mids.map(keys.merchant));
  const end = mids.at(-1) ?? 1;
  return { merchants: items.flatMap((item) => fromMerchantItem(item) ?? []), nextBefore: end > 1 ? end : null };
};

/** Throws merchant_not_found if there is none, or the caller may not see it. */
export const merchantForCaller = async (mid: number, caller: Caller): Promise<Merchant> => {
  const merchant = canAccessMerchant(caller, mid) ? fromMerchantItem(await getItem(keys.merchant(mid))) : undefined;
  if (!merchant) throw merchantNotFound();
  return merchant;
};

/**
 * Switches services on or off and leaves the others as they are, also those that are switched at the same time. Throws
 * merchant_not_found, changed_meanwhile.
 */
export const setServices = async (
  mid: number,
  sent: Partial<Readonly<Record<keyof Services, boolean | undefined>>>,
): Promise<{ before: Services; after: Services }> => {
  const merchant = fromMerchantItem(await getItem(keys.merchant(mid)));
  if (!merchant) throw merchantNotFound();
  const before = servicesOf(merchant);
  const changed = merchantServices.filter((name) => sent[name] !== undefined && sent[name] !== before[name]);
  if (changed.length === 0) return { before, after: before };
  const places = changed.map((_, index) => ({ place: `#merchant.#profile.#n${index}`, index }));
  try {
    await updateItem({
      Key: keys.merchant(mid),
      UpdateExpression: `SET ${places.map(({ place, index }) => `${place} = :v${index}`).join(', ')}`,
      // A field that is absent is off; one that was switched meanwhile is not what the caller has seen.
      ConditionExpression: [
        'attribute_exists(pk)',
        ...places.map(({ place, index }) => `(NOT ${place} = :v${index})`),
      ].join(' AND '),
      ExpressionAttributeNames: {
        ...{ '#merchant': 'merchant', '#profile': 'profile' },
        ...Object.fromEntries(changed.map((name, index) => [`#n${index}`, name])),
      },
      ExpressionAttributeValues: Object.fromEntries(changed.map((name, index) => [`:v${index}`, sent[name] === true])),
    });
  } catch (error) {
    if (!(error instanceof ConditionFailedError)) throw error;
    throw new Refusal('changed_meanwhile', `${changed.join(', ')}: was switched meanwhile. Read the merchant again.`);
  }
  return { before, after: { ...before, ...Object.fromEntries(changed.map((name) => [name, sent[name] === true])) } };
};

/** A new retailer with its own number; nothing is written yet. */
export const newRetailer = async (merchant: Merchant, { name, ...fields }: NewFields): Promise<Retailer> => ({
  rid: await nextNumber('rid'),
  mid: merchant.mid,
  name,
  merchantName: merchant.name,
  createdAt: nowIso(),
  profile: givenFields(fields),
});

export const createRetailer = async (merchant: Merchant, fields: NewFields, claim?: KeyClaim): Promise<Retailer> => {
  const retailer = await newRetailer(merchant, fields);
  // Two retailers may have the same name here; operations that must not allow it look it up.
  const conflict = await tryTransact({
    retailer: { Put: { Item: toRetailerItem(retailer) } },
    name: { Put: { Item: toRetailerNameItem(retailer) } },
    key: claim?.write(retailer.rid),
  });
  if (conflict) throw claim?.overtaken() ?? conflict;
  return retailer;
};

/** A retailer, if there is one and the caller may see it. */
export const findRetailerForCaller = async (rid: number, caller: Caller): Promise<Retailer | undefined> => {
  const retailer = fromRetailerItem(await getItem(keys.retailer(rid)));
  return retailer && canAccessMerchant(caller, retailer.mid) ? retailer : undefined;
};

/** Throws retailer_not_found if there is none, or the caller may not see it. */
export const retailerForCaller = async (rid: number, caller: Caller): Promise<Retailer> => {
  const retailer = await findRetailerForCaller(rid, caller);
  if (!retailer) throw new Refusal('retailer_not_found', 'rid: you have no such retailer.');
  return retailer;
};

/** A merchant and a retailer of it. Throws merchant_not_found or retailer_not_found. */
export const parentsForCaller = async (
  mid: number,
  rid: number,
  caller: Caller,
): Promise<{ merchant: Merchant; retailer: Retailer }> => {
  checkMerchantAccess(mid, caller);
  const [merchantItem, retailerItem] = await getItems([keys.merchant(mid), keys.retailer(rid)]);
  const merchant = fromMerchantItem(merchantItem);
  const retailer = fromRetailerItem(retailerItem);
  if (!merchant) throw merchantNotFound();
  if (retailer?.mid !== mid) throw new Refusal('retailer_not_found', 'rid: you have no such retailer.');
  return { merchant, retailer };
};
