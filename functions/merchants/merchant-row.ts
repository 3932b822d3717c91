import { sha256 } from '../core/crypto.ts';
import { keys } from '../core/keys.ts';
import type { Item, Key } from '../core/table.ts';
import { comparableName, type Merchant, type Retailer } from './merchant.ts';

export const toMerchantItem = (merchant: Merchant): Item => ({
  ...keys.merchant(merchant.mid),
  entity: 'MERCHANT',
  merchant,
});

/** Reads a merchant back. The table holds only what toMerchantItem wrote. */
export const fromMerchantItem = (item: Item | undefined): Merchant | undefined =>
  item?.['merchant'] as Merchant | undefined;

export const toRetailerItem = (retailer: Retailer): Item => ({
  ...keys.retailer(retailer.rid),
  entity: 'RETAILER',
  retailer,
});

/** Reads a retailer back. The table holds only what toRetailerItem wrote. */
export const fromRetailerItem = (item: Item | undefined): Retailer | undefined =>
  item?.['retailer'] as Retailer | undefined;

/** Where the name of a merchant's retailer is taken; by digest, as names may be longer than keys. */
export const retailerNameKey = (mid: number, name: string): Key => keys.retailerName(mid, sha256(comparableName(name)));

/** That a name is taken, and by which retailer first or last. */
export const toRetailerNameItem = ({ mid, rid, name }: Retailer): Item => ({
  ...retailerNameKey(mid, name),
  entity: 'RETAILER_NAME',
  rid,
});
