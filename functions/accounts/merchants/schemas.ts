import * as v from 'valibot';
import { isCurrency } from '#core/kernel/money/money.ts';
import { makeRecord } from '#core/kernel/record-of.ts';
import { ContactEmail } from '#core/kernel/schema/contact-email.ts';
import { isAddress } from '#core/kernel/schema/email-pattern.ts';
import {
  CreatedAtReply,
  DescriptionField,
  MerchantIdField,
  MerchantIdReply,
  MerchantNameReply,
  NameField,
  NameReply,
  RemarksField,
  RetailerIdField,
  RetailerIdReply,
  SiteIdField,
  SiteIdReply,
  StatusOkField,
} from '#core/kernel/schema/field-schemas.ts';
import { describeField, nullableText } from '#core/kernel/schema/field-words.ts';
import { Flag, WholeNumber } from '#core/kernel/schema/schema.ts';
import { AnyText, CardFree, OptionalText, Text } from '#core/kernel/schema/text.ts';
import { threeDsValueProblem } from './settings/three-ds-values.ts';
import { siteTypes } from './site/site.ts';

export const MerchantCurrency = v.pipe(
  AnyText,
  v.check(isCurrency, 'must be a currency code of ISO 4217, such as USD'),
  v.description('ISO 4217, three letters.'),
);
const maxAddresses = 20;

/** Addresses separated by commas; empty: none. Returns a list without duplicates. */
export const EmailList = v.pipe(
  AnyText,
  v.maxLength(5000, 'must have at most 5000 characters'),
  v.transform((text) => [...new Set(text.split(',').map((part) => part.trim()))].filter((part) => part !== '')),
  v.maxLength(maxAddresses, `must have at most ${maxAddresses} addresses`),
  v.everyItem(isAddress, 'must be e-mail addresses separated by commas'),
);

/** A whole number: an id or a flag, as the interface has for most settings. */
const Whole = v.optional(WholeNumber(0, 2_147_483_647));

const ZeroOrOne = v.optional(WholeNumber(0, 1));

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

export const MidPath = v.object({ mid: MerchantIdField });
export const SidPath = v.object({ sid: SiteIdField });
export const MerchantSitePath = v.object({ mid: MerchantIdField, rid: RetailerIdField, sid: SiteIdField });

export const serviceFlags = {
  payments: describeField(v.optional(Flag), 'Whether the merchant takes card payments.'),
  threeDS: describeField(v.optional(Flag), 'Whether the merchant uses 3-D Secure.'),
  alerts: describeField(v.optional(Flag), 'Whether the merchant receives dispute alerts.'),
  cbm: describeField(v.optional(Flag), 'Whether chargebacks are read from the merchant’s processors.'),
  order_insights: describeField(v.optional(Flag), 'Whether banks are shown the merchant’s orders.'),
};
const merchantProfile = {
  ...serviceFlags,
  oi_merchant_id: describeField(OptionalText(100), 'How providers name the merchant when they ask for its orders.'),
  remarks: RemarksField,
  themeid: describeField(Whole, 'The theme of pages that payers see, from the list of themes.'),
};
export const NewMerchant = v.object({ name: NameField, ...merchantProfile });
export const NewRetailer = v.object({
  name: NameField,
  currency: v.optional(MerchantCurrency),
  margin_percentage: describeField(
    v.optional(v.pipe(PercentageText, v.transform(Number))),
    'What conversion adds to the exchange rate, in per cent.',
  ),
  contact_email: v.optional(ContactEmail),
  remarks: RemarksField,
  description: DescriptionField,
});
export const NewSite = v.object({
  name: NameField,
  reseller_id: describeField(Whole, 'From the list of resellers.'),
  url: describeField(OptionalAddress, 'The shop’s address.'),
  remarks: RemarksField,
  description: DescriptionField,
  currency: v.optional(MerchantCurrency),
  support_group: describeField(Whole, 'From the list of support groups.'),
  cat_id: describeField(Whole, 'From the list of site categories.'),
});
const hostName = /^(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z]{2,63}$/i;
const hostWords = 'must be a domain, such as shop.example';

const signatureModes = ['optional', 'required'] as const;
const SignatureSetting = describeField(
  v.optional(v.picklist(signatureModes, `must be one of ${signatureModes.join(', ')}`)),
  '`required`: the site’s calls must have the header `x-signature`; an md5 `hash` is refused.',
);

export const PaymentSettingsBody = v.object({
  stop_send_email: describeField(
    Whole,
    '1: the site sends no e-mails, neither to payers nor to the merchant’s people.',
  ),
  cbreportemail: describeField(v.optional(EmailList), 'Who is mailed about chargebacks, separated by commas.'),
  ftid: describeField(Whole, 'The fraud template that payments are checked by.'),
  skip_ccv: describeField(Whole, '1: payments without a security code are accepted.'),
  bin_currency: describeField(Whole, '1: options are offered in the currency of the card’s country.'),
  allow_rebilling: describeField(
    Whole,
    '1: a card that has paid at the site can be charged again without its security code. The processor is sent each repeat as initiated by the merchant.',
  ),
  proceedeveniffail: describeField(Whole, '1: payments go on when a fraud check cannot be made.'),
  margin_percentage: describeField(
    v.optional(PercentageText),
    'What conversion adds to the exchange rate, in per cent.',
  ),
  first_transaction_alert: describeField(Whole, '1: the site’s first payment is mailed.'),
  notify_email: describeField(v.optional(EmailList), 'Who is mailed about payments, separated by commas.'),
  allow_refund: describeField(Whole, '1: refunds are allowed.'),
  allow_refund_time: describeField(Whole, 'Days after a payment in which it may be refunded; 0: always.'),
  emaildomain: describeField(
    v.optional(v.union([v.literal(''), v.pipe(Text(253), v.regex(hostName, hostWords))], hostWords)),
    'The domain to which payers may answer: their e-mails have `Reply-To: payments@…`.',
  ),
  shipping_n_tracking: describeField(Whole, '1: a payment must have a shipping address.'),
  signature: SignatureSetting,
});

/** A setting of a 3DS site: its value is checked where three-ds-values.ts has a check for it. */
const checkedText = (name: string) =>
  v.pipe(
    OptionalText(500),
    v.rawCheck(({ dataset, addIssue }) => {
      const problem = dataset.typed ? threeDsValueProblem(name, dataset.value ?? '') : undefined;
      if (problem !== undefined) addIssue({ message: problem });
    }),
  );

/** Texts that may be absent or empty, with their descriptions. */
const checkedTexts = <const Name extends string>(descriptions: Readonly<Record<Name, string>>) =>
  makeRecord(Object.keys(descriptions) as Name[], (name) => describeField(checkedText(name), descriptions[name]));

/** Field by field as the interface names them. Those of `threeDsSecrets` are sealed and never shown. */
export const threeDsSettings = {
  ...checkedTexts({
    clientMode: 'The mode in which the 3DS server is asked.',
    enableResult: 'Whether results are kept to be read.',
    disableChallenge: 'Whether challenges are done without.',
    enable3ds1Frictionless: 'Of 3-D Secure 1, which has ended; kept and not used.',
    enable3DS1Only: 'Of 3-D Secure 1, which has ended; kept and not used.',
    requestorName: 'How the shop is named to issuers.',
    authenticationInd: 'Why the payer is authenticated, two digits of EMV 3DS.',
    challengeInd: 'Whether a challenge is requested, two digits of EMV 3DS.',
    acctType: 'The type of account, two digits of EMV 3DS.',
    acquirerMerchantPwd: 'The acquirer’s password for the merchant; never shown.',
    mcc: 'The merchant category code (ISO 18245), four digits.',
    merchantCountryCode: 'The merchant’s country: two letters of ISO 3166-1, or its digits.',
    acquirerCountryCode: 'The acquirer’s country, where it is another than the merchant’s.',
    merchantName: 'The merchant’s name for issuers.',
    messageCategory: '01 payment, 02 other.',
    purchaseCurrency: 'The currency where a call names none.',
    transType: 'The type of transaction, two digits of EMV 3DS.',
    acquirerBin: 'The acquirer’s BIN.',
    acquirerMid: 'The merchant’s number with the acquirer.',
    masterAcquirerBin: 'The acquirer’s BIN for Mastercard.',
    masterAcquirerMid: 'The merchant’s number with the acquirer for Mastercard.',
    scheme3AcquirerBin: 'The acquirer’s BIN for the third scheme.',
    scheme3AcquirerMid: 'The merchant’s number with the acquirer for the third scheme.',
    scheme4AcquirerBin: 'The acquirer’s BIN for the fourth scheme.',
    scheme4AcquirerMid: 'The merchant’s number with the acquirer for the fourth scheme.',
    scheme5AcquirerBin: 'The acquirer’s BIN for the fifth scheme.',
    scheme5AcquirerMid: 'The merchant’s number with the acquirer for the fifth scheme.',
  }),
  requestorURL: v.pipe(
    OptionalAddress,
    v.check(
      (text) => threeDsValueProblem('requestorURL', text ?? '') === undefined,
      'must be the web address of the site, with https://',
    ),
    v.description('The shop’s address for issuers, with https://.'),
  ),
  verbose: describeField(ZeroOrOne, '1: answers contain more detail.'),
  signature: SignatureSetting,
};
export const threeDsServiceSettings = {
  ...checkedTexts({
    three_ds_provider: 'Which 3DS server is asked.',
    threedsprotocolversion: 'The version of EMV 3DS to ask for.',
    provider_auth3d2: 'The account with the 3DS server.',
    wallet_merchant_token: 'The 3DS server’s token; never shown.',
    wallet_merchant_id: 'The merchant with the 3DS server.',
    thirdparty_account_id: 'The account with a third party’s 3DS server.',
    thirdparty_password: 'Its password; never shown.',
    thirdparty_mastercard_prefix: 'What it puts before Mastercard’s requests.',
  }),
  wallet_base_url: describeField(OptionalAddress, 'Where the 3DS server is.'),
  thirdparty_base_url: describeField(OptionalAddress, 'Where it is.'),
  skip3d2: describeField(ZeroOrOne, '1: payments go on without 3-D Secure.'),
};
export const disputeActions = ['REFUND', 'CANCEL', 'REVIEW'] as const;
export const tokenWords = 'must have 1 to 4096 printable ASCII characters without spaces';
/** The token that callbacks carry in their Authorization header. */
export const WebhookToken = v.pipe(v.string(tokenWords), v.regex(/^[\x21-\x7e]{1,4096}$/, tokenWords), CardFree);
export const SettingsSaved = v.object({
  status: StatusOkField,
  sid: SiteIdReply,
  type: describeField(v.picklist(siteTypes), 'payment, 3ds or alert; permanent once it is set.'),
});
export const toSiteDto = {
  sid: SiteIdReply,
  mid: MerchantIdReply,
  rid: RetailerIdReply,
  name: NameReply,
  merchant_name: MerchantNameReply,
  retailer_name: describeField(v.string(), 'The retailer’s name; no other of the merchant has it.'),
  type: describeField(v.nullable(v.picklist(siteTypes)), 'payment, 3ds or alert; permanent once it is set.'),
  created_at: CreatedAtReply,
};
export const previous = {
  previous_valid_until: nullableText('Until when the previous one is still accepted (ISO 8601, UTC).'),
};
