import * as v from 'valibot';
import { exponentOf } from '#core/kernel/money/money.ts';
import { recordOf } from '#core/kernel/record-of.ts';
import { KeptText, OptionalKeptText } from '#core/kernel/schema/card-free.ts';
import { ContactEmail, isAddress } from '#core/kernel/schema/contact-email.ts';
import { Flag, Id, OptionalText, Text, WholeNumber } from '#core/kernel/schema/schema.ts';
import { siteTypes } from './site/site.ts';

export const Currency = v.pipe(
  v.string('must be text'),
  v.check((code) => exponentOf(code) !== undefined, 'must be a currency code of ISO 4217, such as USD'),
);
const mostAddresses = 20;

/** Addresses separated by commas; empty: none. Returns a list without duplicates. */
export const EmailList = v.pipe(
  v.string('must be text'),
  v.maxLength(5000, 'must have at most 5000 characters'),
  v.transform((text) => [...new Set(text.split(',').map((part) => part.trim()))].filter((part) => part !== '')),
  v.maxLength(mostAddresses, `must have at most ${mostAddresses} addresses`),
  v.everyItem(isAddress, 'must be e-mail addresses separated by commas'),
);

/** A whole number: an id or a flag, as the interface has for most settings. */
const Whole = v.optional(WholeNumber(0, 2_147_483_647));

const percentage = /^(?:100(?:\.0{1,4})?|\d{1,2}(?:\.\d{1,4})?)$/;
const percentageWords = 'must be a percentage from 0 to 100 with at most 4 decimals';
const PercentageText = v.pipe(
  v.union([v.string(), v.number()], percentageWords),
  v.transform(String),
  v.regex(percentage, percentageWords),
);

export const WebAddress = v.pipe(
  Text(2048),
  v.check((text) => {
    const url = URL.parse(/^[a-z][\w+.-]*:\/\//i.test(text) ? text : `https://${text}`);
    return url !== null && ['https:', 'http:'].includes(url.protocol) && url.username === '' && !/\s/.test(text);
  }, 'must be a web address'),
);

const OptionalAddress = v.optional(v.union([v.literal(''), WebAddress], 'must be text'));

const nullable = <S extends v.GenericSchema>(schema: S) => v.optional(v.nullable(schema));
const EmptyIsNull = v.pipe(
  v.literal(''),
  v.transform(() => null),
);

/** A value that null or the empty text removes. `words`: the problem if the value has another type. */
export const clearable = <S extends v.GenericSchema>(schema: S, words: string) =>
  nullable(v.union([EmptyIsNull, schema], words));

export const MidPath = v.object({ mid: Id });
export const SidPath = v.object({ sid: Id });
export const SitePath = v.object({ mid: Id, rid: Id, sid: Id });

const merchantProfile = {
  payments: v.optional(Flag),
  threeDS: v.optional(Flag),
  alerts: v.optional(Flag),
  cbm: v.optional(Flag),
  order_insights: v.optional(Flag),
  oi_merchant_id: OptionalKeptText(100),
  remarks: OptionalKeptText(2000),
  themeid: Whole,
};
export const NewMerchant = v.object({ name: KeptText(200), ...merchantProfile });
export const NewRetailer = v.object({
  name: KeptText(200),
  currency: v.optional(Currency),
  margin_percentage: v.optional(v.pipe(PercentageText, v.transform(Number))),
  contact_email: v.optional(ContactEmail),
  remarks: OptionalKeptText(2000),
  description: OptionalKeptText(2000),
});
export const NewSite = v.object({
  name: KeptText(200),
  reseller_id: Whole,
  url: OptionalAddress,
  remarks: OptionalKeptText(2000),
  description: OptionalKeptText(2000),
  currency: v.optional(Currency),
  support_group: Whole,
  cat_id: Whole,
});
const hostName = /^(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z]{2,63}$/i;
const hostWords = 'must be a domain, such as shop.example';

export const PaymentSettingsBody = v.object({
  stop_send_email: Whole,
  cbreportemail: v.optional(EmailList),
  ftid: Whole,
  skip_ccv: Whole,
  bin_currency: Whole,
  allow_rebilling: Whole,
  proceedeveniffail: Whole,
  margin_percentage: v.optional(PercentageText),
  first_transaction_alert: Whole,
  notify_email: v.optional(EmailList),
  allow_refund: Whole,
  allow_refund_time: Whole,
  emaildomain: v.optional(v.union([v.literal(''), v.pipe(Text(253), v.regex(hostName, hostWords))], hostWords)),
  shipping_n_tracking: Whole,
});

const optionalTexts = <const Name extends string>(names: readonly Name[]) => recordOf(names, () => OptionalText(500));

/** Field by field as the interface names them. Those of `threeDsSecrets` are sealed and never shown. */
export const threeDsSettings = {
  ...optionalTexts([
    'clientMode',
    'enableResult',
    'disableChallenge',
    'enable3ds1Frictionless',
    'enable3DS1Only',
    'requestorName',
    'authenticationInd',
    'challengeInd',
    'acctType',
    'acquirerMerchantPwd',
    'mcc',
    'merchantCountryCode',
    'merchantName',
    'messageCategory',
    'purchaseCurrency',
    'transType',
    'acquirerBin',
    'acquirerMid',
    'masterAcquirerBin',
    'masterAcquirerMid',
    'scheme3AcquirerBin',
    'scheme3AcquirerMid',
    'scheme4AcquirerBin',
    'scheme4AcquirerMid',
    'scheme5AcquirerBin',
    'scheme5AcquirerMid',
  ]),
  requestorURL: OptionalAddress,
  verbose: Whole,
};
export const threeDsServiceSettings = {
  ...optionalTexts([
    'three_ds_provider',
    'threedsprotocolversion',
    'provider_auth3d2',
    'wallet_merchant_token',
    'wallet_merchant_id',
    'thirdparty_account_id',
    'thirdparty_password',
    'thirdparty_mastercard_prefix',
  ]),
  wallet_base_url: OptionalAddress,
  thirdparty_base_url: OptionalAddress,
  skip3d2: Whole,
};
export const disputeActions = ['REFUND', 'CANCEL', 'REVIEW'] as const;
export const tokenWords = 'must have 1 to 4096 printable ASCII characters without spaces';
/** The token that callbacks carry in their Authorization header. */
export const WebhookToken = v.pipe(v.string(tokenWords), v.regex(/^[\x21-\x7e]{1,4096}$/, tokenWords));
export const SettingsSaved = v.object({ status: v.literal('ok'), sid: v.number(), type: v.picklist(siteTypes) });
export const toSiteDto = {
  sid: v.number(),
  mid: v.number(),
  rid: v.number(),
  name: v.string(),
  merchant_name: v.string(),
  retailer_name: v.string(),
  type: v.nullable(v.picklist(siteTypes)),
  created_at: v.string(),
};
export const previous = { previous_valid_until: v.nullable(v.string()) };
