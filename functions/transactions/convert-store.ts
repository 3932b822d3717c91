import { Refusal } from '../core/errors.ts';
import { keys } from '../core/keys.ts';
import type { Money } from '../core/money.ts';
import { getItems } from '../core/table.ts';
import { fromRetailerItem } from '../merchants/merchant-row.ts';
import type { Site } from '../merchants/site.ts';
import { convertForSite, marginOf } from '../pricing/conversion.ts';
import { fromRateItem } from '../pricing/rate-row.ts';
import type { Conversion } from './transaction.ts';

/**
 * What a site's payment is charged in the currency of its descriptor, at the service's own rate and the site's margin, else
 * its retailer's. Throws rate_missing. One call of the table.
 */
export const convertToDescriptor = async (
  money: Money,
  site: Site,
): Promise<{ charged: Money; conversion: Conversion | null }> => {
  const descriptorCurrency = String(site.profile['currency'] ?? money.currency);
  const [rate, retailer] = await getItems([
    keys.currentRate(money.currency, descriptorCurrency),
    keys.retailer(site.rid),
  ]);
  const margin = marginOf(site.payment, fromRetailerItem(retailer)?.profile);
  const converted = convertForSite({ money, descriptorCurrency, rate: fromRateItem(rate), margin });
  if (typeof converted === 'string') throw new Refusal('rate_missing', converted);
  return converted;
};
