import * as v from 'valibot';
import { sha256 } from '#core/kernel/crypto.ts';
import { texts } from '#core/kernel/schema/shape-fields.ts';
import type { Item, Key } from '#core/platform/table/item.ts';
import { keys } from '#core/platform/table/keys.ts';
import { defineRow } from '#core/platform/table/row.ts';
import { comparableName, type Merchant, type Retailer } from './merchant.ts';

const MerchantRow = defineRow<Merchant>({
  entity: 'MERCHANT',
  attribute: 'merchant',
  schema: v.looseObject({
    mid: v.number(),
    name: v.string(),
    createdAt: v.string(),
    profile: v.record(v.string(), v.union([v.boolean(), v.string(), v.number()])),
  }),
});

export const toMerchantItem = (merchant: Merchant): Item => ({
  ...keys.merchant(merchant.mid),
  ...MerchantRow.stamp,
  merchant,
});

/** Reads a merchant back. */
export const fromMerchantItem = MerchantRow.find;

const RetailerRow = defineRow<Retailer>({
  entity: 'RETAILER',
  attribute: 'retailer',
  schema: v.looseObject({
    rid: v.number(),
    mid: v.number(),
    ...texts('name', 'merchantName', 'createdAt'),
    profile: v.record(v.string(), v.union([v.boolean(), v.string(), v.number()])),
  }),
});

export const toRetailerItem = (retailer: Retailer): Item => ({
  ...keys.retailer(retailer.rid),
  ...RetailerRow.stamp,
  retailer,
});

/** Reads a retailer back. */
export const fromRetailerItem = RetailerRow.find;

/** The key that reserves the name of a merchant's retailer; a digest, as names may be longer than keys. */
export const retailerNameKey = (mid: number, name: string): Key => keys.retailerName(mid, sha256(comparableName(name)));

/** Records that a name is taken, and by which retailer. */
export const toRetailerNameItem = ({ mid, rid, name }: Retailer): Item => ({
  ...retailerNameKey(mid, name),
  entity: 'RETAILER_NAME',
  rid,
});
