import * as v from 'valibot';
import { flags, nullableTexts, numbers, texts } from '#core/kernel/schema/shape-fields.ts';
import { facetOf, listKeys, listPosition } from '#core/platform/lists/listing.ts';
import { visibleOrRefuse } from '#core/platform/operation/merchant-access.ts';
import type { Caller } from '#core/platform/operation/operation.ts';
import type { Item } from '#core/platform/table/item.ts';
import { keys } from '#core/platform/table/keys.ts';
import { defineRow } from '#core/platform/table/row.ts';
import { type AlertSettings, type SealedRcode, type Site, siteEntity } from './site.ts';

/**
 * The site that an rcode belongs to, and what a call with it needs to know; written together with the site, so that an
 * update of an alert need not read anything else for it.
 */
export type RcodeHolder = {
  sid: number;
  mid: number;
  rid: number;
  validUntil: string | null;
  /** True if changes of an alert's status are notified: a URL is set and the site has opted in. */
  statusUpdates: boolean;
  /** True if that applies to every status; absent: only to those that the interface names. */
  allStatuses?: boolean;
};
export const SealedSecretShape = v.looseObject({ sealed: v.string(), validUntil: v.nullable(v.string()) });
const SealedUrlShape = v.looseObject({ sealed: v.string(), validUntil: v.nullable(v.string()), host: v.string() });

const SiteRow = defineRow<Site>({
  entity: siteEntity,
  attribute: 'site',
  schema: v.looseObject({
    ...numbers('sid', 'mid', 'rid', 'version'),
    ...texts('name', 'merchantName', 'retailerName', 'createdAt'),
    type: v.nullable(v.string()),
    profile: v.record(v.string(), v.union([v.boolean(), v.string(), v.number()])),
    alert: v.nullable(
      v.looseObject({
        ...nullableTexts('alertapiurl', 'default_dispute_action', 'max_refund_amount', 'statusupdate_url'),
        ...nullableTexts('enrollment_url'),
        descriptorid: v.string(),
        username: v.string(),
        token: v.nullable(SealedSecretShape),
        max_daily_refunds: v.exactOptional(v.nullable(v.number())),
        ...flags('alert_triggeremail', 'status_update_opt_in', 'deadline_warning'),
        alert_email: v.array(v.string()),
        shieldrdr_review_email: v.array(v.string()),
        body_format: v.exactOptional(v.string()),
        status_update_statuses: v.exactOptional(v.string()),
        slack_webhook_url: v.exactOptional(v.nullable(SealedUrlShape)),
        teams_webhook_url: v.exactOptional(v.nullable(SealedUrlShape)),
        deadline_hours: v.looseObject({ FRAUD: v.number(), DISPUTE: v.number(), CANCEL: v.number() }),
      }),
    ),
    payment: v.nullable(v.record(v.string(), v.union([v.string(), v.number(), v.array(v.string())]))),
    threeDs: v.nullable(
      v.looseObject({
        settings: v.record(v.string(), v.union([v.string(), v.number()])),
        servicesettings: v.record(v.string(), v.union([v.string(), v.number()])),
        secrets: v.record(v.string(), SealedSecretShape),
      }),
    ),
    rcodes: v.array(v.looseObject({ sealed: v.string(), validUntil: v.nullable(v.string()), digest: v.string() })),
    signingSecrets: v.array(SealedSecretShape),
  }),
});

const RcodeRow = defineRow<RcodeHolder>({
  entity: 'RCODE',
  attribute: 'holder',
  schema: v.looseObject({
    ...numbers('sid', 'mid', 'rid'),
    validUntil: v.nullable(v.string()),
    statusUpdates: v.boolean(),
    allStatuses: v.exactOptional(v.boolean()),
  }),
});

export const toSiteItem = (site: Site): Item => ({
  ...keys.site(site.sid),
  ...SiteRow.stamp,
  ...listKeys(
    siteEntity,
    ['all', `M${site.mid}`, `R${site.rid}`],
    facetOf(site.type ?? 'none', '-'),
    listPosition(site.createdAt, String(site.sid).padStart(12, '0')),
  ),
  summary: {
    sid: site.sid,
    mid: site.mid,
    rid: site.rid,
    name: site.name,
    type: site.type,
    merchant_name: site.merchantName,
    retailer_name: site.retailerName,
    created_at: site.createdAt,
  },
  site,
});

/** Reads a site back. */
export const fromSiteItem = SiteRow.read;

/** The changes of status that are notified. */
export type StatusUpdates = Pick<RcodeHolder, 'statusUpdates' | 'allStatuses'>;

export const statusUpdatesOf = (alert: AlertSettings | null): StatusUpdates => ({
  statusUpdates: Boolean(alert?.status_update_opt_in && alert.statusupdate_url !== null),
  ...(alert?.status_update_statuses === 'all' && { allStatuses: true }),
});

/** The statuses that the interface names for status updates; the others go only to sites that ask for all. */
const namedStatuses: readonly string[] = ['RESOLVED', 'DECLINED', 'RDR_DELETE'];

/** Checks whether a change to a status is notified. */
export const isNotified = ({ statusUpdates, allStatuses = false }: StatusUpdates, status: string): boolean =>
  statusUpdates && (allStatuses || namedStatuses.includes(status));

export const toRcodeItem = (site: Site, rcode: SealedRcode): Item => ({
  ...keys.rcode(rcode.digest),
  ...RcodeRow.stamp,
  holder: {
    sid: site.sid,
    mid: site.mid,
    rid: site.rid,
    validUntil: rcode.validUntil,
    ...statusUpdatesOf(site.alert),
  } satisfies RcodeHolder,
  // An rcode cannot be used after its end.
  ...(rcode.validUntil === null ? {} : { ttl: Math.ceil(Date.parse(rcode.validUntil) / 1000) }),
});

/** The holder of an rcode, if it is valid at this time. */
export const fromRcodeItem = (item: Item | undefined, at: string): RcodeHolder | undefined => {
  const holder = RcodeRow.find(item);
  return holder && (holder.validUntil === null || at < holder.validUntil) ? holder : undefined;
};

/** The site in an item that was read, if the caller may see it; otherwise throws site_not_found. */
export const siteVisibleTo = (caller: Caller, item: Item | undefined): Site =>
  visibleOrRefuse(item && fromSiteItem(item), caller, 'site_not_found', 'sid: you have no such site.');
