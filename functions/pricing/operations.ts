import { defineOperation } from '../core/operation.ts';
import {
  BinOptions,
  BinOptionsBody,
  FeeQuote,
  FeeQuoteBody,
  FeesShown,
  NewFees,
  NewRate,
  OptionsBody,
  PaymentOptions,
  RateList,
  RateListBody,
  RateShown,
  RawFees,
  RawFeesBody,
  SidPath,
  SitePath,
  VendorOptionsBody,
} from './schemas.ts';

/** Named in each declaration, not spread into it: what has a spread in it, esbuild leaves in every bundle of the area. */
const area = 'pricing';
const method = 'POST';

export const setRate = defineOperation({
  area,
  method,
  name: 'set-rate',
  summary: 'Set an exchange rate',
  description:
    'In force at once, in this direction only. Those before stay in the history, with who set them and when.',
  path: '/api/v3/pricing/rate/set',
  auth: 'admin',
  body: NewRate,
  reply: RateShown,
  errors: ['changed_meanwhile'],
  grants: { table: ['PutItem'] },
});

export const listRates = defineOperation({
  area,
  method,
  name: 'list-rates',
  summary: 'List exchange rates',
  description: 'With `from` and `to`, all that the pair has had; without, those in force of every pair. Newest first.',
  path: '/api/v3/pricing/rate/list',
  auth: 'bearer',
  body: RateListBody,
  reply: RateList,
  errors: [],
  grants: { table: ['Query'], indexes: ['list1'] },
});

export const setFees = defineOperation({
  area,
  method,
  name: 'set-fees',
  summary: 'Set the processing fees of a payment site',
  description:
    'A percentage and a fixed amount per payment method and currency, in place of all that were set before. They are added ' +
    'where a call asks for it.',
  path: '/api/v3/site/{sid}/fees',
  auth: 'admin',
  params: SidPath,
  body: NewFees,
  reply: FeesShown,
  errors: ['site_not_found', 'site_not_for_payments'],
  grants: { table: ['GetItem', 'PutItem'] },
});

export const listFees = defineOperation({
  area,
  method,
  name: 'list-fees',
  summary: 'Show the processing fees of a payment site',
  description: 'As an administrator set them, with who and when; an empty list where none were set.',
  path: '/api/v3/site/{sid}/fees/list',
  auth: 'bearer',
  params: SidPath,
  reply: FeesShown,
  errors: ['site_not_found'],
  grants: { table: ['BatchGetItem'] },
});

const bySite = {
  area,
  method,
  auth: 'site',
  errorShape: 'transaction',
  formats: ['json', 'form'],
  variables: ['ALLOW_SANDBOX'],
} as const;
const siteErrors = ['rcode_wrong', 'site_not_for_payments'] as const;

export const feeQuote = defineOperation({
  ...bySite,
  name: 'fee-quote',
  summary: 'Price a cart in every payment method',
  description:
    "The cart converted to the site's currency at the service's own rate, with the fee where `addfee` asks for it. " +
    '`amount_purchase` is the total: items, shipping and tax, less the coupon. `fxrate_posted` must be within 1 percent of ' +
    'that rate. A form sends the cart as `cart[0][item_desc]`, `cart[0][amount_unit]`, …, and lists as `summary[]`. An item ' +
    'goes into a transaction with quantity 1 and `amount` plus `amount_fee`.',
  path: '/soap/feeapi.php',
  body: FeeQuoteBody,
  reply: FeeQuote,
  errors: [...siteErrors, 'rate_missing'],
  grants: { table: ['BatchGetItem'] },
});

export const rawFees = defineOperation({
  ...bySite,
  name: 'raw-fees',
  summary: 'List payment methods, their fees and the fields of a transaction',
  description:
    'With the exchange rate from the currency of the cart, and whether singletx or convertnpay is to be called.',
  path: '/soap/rawfeeapi.php',
  body: RawFeesBody,
  reply: RawFees,
  errors: [...siteErrors, 'rate_missing'],
  grants: { table: ['BatchGetItem'] },
});

export const paymentOptions = defineOperation({
  ...bySite,
  name: 'payment-options',
  summary: "List a site's payment options",
  description:
    "The schemes that the site's processors take, per currency: the one asked for, else the site's own and those the " +
    'processors name. Never to be called from a browser, as the rcode is sent.',
  path: '/api/v1/index.php/{id}/getpaymentoptions',
  params: SitePath,
  body: OptionsBody,
  reply: PaymentOptions,
  errors: siteErrors,
  grants: { table: ['BatchGetItem'] },
});

export const vendorPaymentOptions = defineOperation({
  ...bySite,
  name: 'vendor-payment-options',
  summary: "List a site's payment options for a country",
  description: 'The same list; no scheme is limited to a country, so the country has to exist and changes nothing.',
  path: '/api/v1/index.php/{id}/getvendorpaymentoptions',
  params: SitePath,
  body: VendorOptionsBody,
  reply: PaymentOptions,
  errors: siteErrors,
  grants: { table: ['BatchGetItem'] },
});

export const binPaymentOptions = defineOperation({
  ...bySite,
  name: 'bin-payment-options',
  summary: 'Find the payment option of a card by its first six digits',
  description:
    "For an amount in one currency, the site's own if none is named. The hash is the md5 of sid, timestamp, total with all " +
    'decimals, currency and rcode.',
  path: '/api/v1/index.php/{id}/getpaymentoptionsfrombin',
  params: SitePath,
  body: BinOptionsBody,
  reply: BinOptions,
  errors: ['hash_wrong', 'site_not_for_payments', 'card_not_taken'],
  grants: { table: ['BatchGetItem'], secrets: ['encryption'] },
});

export const pricingOperations = [
  setRate,
  listRates,
  setFees,
  listFees,
  feeQuote,
  rawFees,
  paymentOptions,
  vendorPaymentOptions,
  binPaymentOptions,
] as const;
