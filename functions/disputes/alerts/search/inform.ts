import * as v from 'valibot';
import type { Site } from '#accounts/merchants/site/site.ts';
import { FromTime, Ids, pageFields, ToTime, WholeNumber } from '#core/kernel/schema/schema.ts';
import { type Alert, informationalTypes } from '../alert.ts';
import { searchFields } from './alert-search.ts';

/** A filter of informational alerts. */
export const ListInform = v.pipe(
  v.object({
    field: v.optional(
      v.union([v.literal(''), v.picklist(searchFields)], `must be one of ${searchFields.join(', ')}`),
      '',
    ),
    keyword: v.optional(
      v.pipe(
        v.union([v.string(), v.number()], 'must be text'),
        v.transform(String),
        v.maxLength(200, 'must have at most 200 characters'),
      ),
      '',
    ),
    mid: v.optional(Ids),
    rid: v.optional(Ids),
    sid: v.optional(Ids),
    reseller: v.optional(Ids),
    date_from: v.optional(FromTime),
    date_to: v.optional(ToTime),
    order: pageFields.order,
    size: pageFields.size,
    page: v.optional(WholeNumber(1, 1_000_000), 1),
  }),
  v.forward(
    v.check(({ field, keyword }) => keyword.trim() === '' || field !== '', 'must be given with a keyword'),
    ['field'],
  ),
);
export type InformFilters = v.InferOutput<typeof ListInform>;

/** An informational alert as its list shows it. */
export const InformItem = v.object({
  id: v.number(),
  alertdate: v.pipe(v.string(), v.description('When it was received.')),
  descriptor: v.string(),
  transaction_date: v.string(),
  transaction_currency: v.string(),
  transaction_amount: v.string(),
  cardnumber: v.string(),
  providername: v.string(),
  provider_caseid: v.string(),
  arn: v.string(),
  authcode: v.string(),
  alert_type: v.picklist(informationalTypes),
  partnerid: v.pipe(v.string(), v.description('The reseller of the site; empty if it has none.')),
  retailername: v.string(),
  sitename: v.string(),
  issuername: v.string(),
  source: v.pipe(v.string(), v.description('`provider`, or `test` for a test alert.')),
  chargeback_proceeded: v.pipe(v.string(), v.description('`no`: providers do not tell of it.')),
  is_duplicate: v.picklist(['yes', 'no']),
  duplicate_alertid: v.nullable(v.number()),
  matched_descriptor: v.string(),
  merchantname: v.string(),
});
export type InformItem = v.InferOutput<typeof InformItem>;
export const InformPage = v.object({ list: v.array(InformItem), totalResult: v.number() });

/** The reseller of a site; undefined if it has none. */
export const resellerOf = ({ profile }: Pick<Site, 'profile'>): number | undefined => {
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
    partnerid: String(resellerOf(site) ?? ''),
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
