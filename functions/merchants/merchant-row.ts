import { keys } from '../core/keys.ts';
import type { Item } from '../core/table.ts';
import type { Merchant, Retailer } from './merchant.ts';

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
