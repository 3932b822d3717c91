import * as v from 'valibot';
import type { Site } from '#accounts/merchants/site/site.ts';
import {
  ArnReply,
  DateFromField,
  DateToField,
  DescriptorReply,
  MerchantNameReply,
  ProviderCaseIdReply,
  SiteNameReply,
  TotalResultReply,
} from '#core/kernel/schema/field-schemas.ts';
import { count, describeField, text } from '#core/kernel/schema/field-words.ts';
import { Ids, pageFields, WholeNumber } from '#core/kernel/schema/schema.ts';
import { AsText, CardMasked } from '#core/kernel/schema/text.ts';
import { type Alert, informationalTypes } from '../alert.ts';
import { DuplicateAlertidReply } from '../field-schemas.ts';
import { searchFields } from './alert-search.ts';

/** A filter of informational alerts. */
export const ListInform = v.pipe(
  v.object({
    field: describeField(
      v.optional(v.union([v.literal(''), v.picklist(searchFields)], `must be one of ${searchFields.join(', ')}`), ''),
      'Which field is searched.',
    ),
    keyword: describeField(
      v.optional(v.pipe(AsText, CardMasked, v.maxLength(200, 'must have at most 200 characters')), ''),
      'Words to search by.',
    ),
    mid: describeField(v.optional(Ids), 'The merchant.'),
    rid: describeField(v.optional(Ids), 'The retailer.'),
    sid: describeField(v.optional(Ids), 'The site.'),
    reseller: describeField(v.optional(Ids), 'The reseller.'),
    date_from: v.optional(DateFromField),
    date_to: v.optional(DateToField),
    order: pageFields.order,
    size: pageFields.size,
    page: describeField(v.optional(WholeNumber(1, 1_000_000), 1), 'Which page, from 1.'),
  }),
  v.forward(
    v.check(({ field, keyword }) => keyword.trim() === '' || field !== '', 'must be given with a keyword'),
    ['field'],
  ),
);
export type InformFilters = v.InferOutput<typeof ListInform>;

/** An informational alert as its list shows it. */
export const InformItem = v.object({
  id: count('The alert’s number.'),
  alertdate: text('When it was received.'),
  descriptor: DescriptorReply,
  transaction_date: text('When the transaction was made.'),
  transaction_currency: text('The transaction’s currency.'),
  transaction_amount: text('The transaction’s amount.'),
  cardnumber: text('The card number, masked.'),
  providername: text('The alert provider.'),
  provider_caseid: ProviderCaseIdReply,
  arn: ArnReply,
  authcode: text('The authorisation code.'),
  alert_type: describeField(
    v.picklist(informationalTypes),
    'The type of alert: FRAUD, DISPUTE and CANCEL need an answer; the others only inform, or are already decided.',
  ),
  partnerid: text('The reseller of the site; empty if it has none.'),
  retailername: text('The retailer’s name.'),
  sitename: SiteNameReply,
  issuername: text('The card’s issuer.'),
  source: text('`provider`, or `test` for a test alert.'),
  chargeback_proceeded: text('`no`: providers do not report it.'),
  is_duplicate: describeField(v.picklist(['yes', 'no']), '`yes` if an alert about the same transaction came before.'),
  duplicate_alertid: v.nullable(DuplicateAlertidReply),
  matched_descriptor: text('The enrolled descriptor that matched.'),
  merchantname: MerchantNameReply,
});
export type InformItem = v.InferOutput<typeof InformItem>;
export const InformPageSchema = v.object({
  list: describeField(v.array(InformItem), 'One page, the newest first unless `order` says otherwise.'),
  totalResult: TotalResultReply,
});

/** The reseller of a site; undefined if it has none. */
export const readReseller = ({ profile }: Pick<Site, 'profile'>): number | undefined => {
  const id = Number(profile['reseller_id'] ?? 0);
  return id > 0 ? id : undefined;
};

/** A site's alert on the wire; null if it is not informational. */
export const informItem = (
  { alertId, providerAlert, receivedAt, owner, duplicateOf }: Alert,
  site: Site,
): InformItem | null => {
  const type = informationalTypes.find((one) => one === providerAlert.type);
  if (!type) return null;
  return {
    id: alertId,
    alertdate: receivedAt,
    descriptor: providerAlert.descriptor,
    transaction_date: providerAlert.transactionAt,
    transaction_currency: providerAlert.currency,
    transaction_amount: providerAlert.amount,
    cardnumber: providerAlert.card,
    providername: providerAlert.provider,
    provider_caseid: providerAlert.caseId,
    arn: providerAlert.arn,
    authcode: providerAlert.authCode,
    alert_type: type,
    partnerid: String(readReseller(site) ?? ''),
    retailername: site.retailerName,
    sitename: site.name,
    issuername: providerAlert.issuerName,
    source: providerAlert.test ? 'test' : 'provider',
    chargeback_proceeded: 'no',
    is_duplicate: duplicateOf === null ? 'no' : 'yes',
    duplicate_alertid: duplicateOf,
    matched_descriptor: owner?.matchedDescriptor ?? '',
    merchantname: site.merchantName,
  };
};
