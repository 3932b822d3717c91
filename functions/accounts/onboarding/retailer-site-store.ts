import type { Merchant, Retailer } from '#accounts/merchants/merchant/merchant.ts';
import { retailerNameKey, toRetailerItem, toRetailerNameItem } from '#accounts/merchants/merchant/merchant-row.ts';
import { newRetailer } from '#accounts/merchants/merchant/merchant-store.ts';
import { withAlertSettings } from '#accounts/merchants/settings/settings.ts';
import { type Site, sealContext } from '#accounts/merchants/site/site.ts';
import { getSite, newSite, newSiteWrites } from '#accounts/merchants/site/site-store.ts';
import { nowIso } from '#core/kernel/clock.ts';
import { seal } from '#core/kernel/crypto.ts';
import { newTimedId } from '#core/kernel/ids.ts';
import type { KeyClaim } from '#core/platform/idempotency/idempotency-store.ts';
import { createMail, mailIdOf } from '#core/platform/mail/mail.ts';
import { newMailWrite } from '#core/platform/mail/mail-row.ts';
import { requireVariable } from '#core/platform/operation/environment.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import { keyRing } from '#core/platform/secrets/secrets.ts';
import { newRow } from '#core/platform/table/item.ts';
import { getItem, tryTransact, type Write } from '#core/platform/table/table.ts';
import { type Enrolled, operationsMail, toAlertSettings, toProfiles } from './retailer-site.ts';

/**
 * Writes a retailer, its name, an alert site with its settings, and the e-mail to operations: all or nothing. Throws
 * retailer_name_taken, also for one of two calls at the same time.
 */
export const enrollRetailerSite = async (
  merchant: Merchant,
  body: Enrolled,
  claim?: KeyClaim,
): Promise<{ rid: number; sid: number }> => {
  if (claim?.made !== undefined) return readRetailerSite(claim.made);
  if (await getItem(retailerNameKey(merchant.mid, body.retailer_name))) throw new Refusal('retailer_name_taken');
  const profiles = toProfiles(body);
  const retailer = await newRetailer(merchant, { name: body.retailer_name, ...profiles.retailer });
  const made = await newSite({ merchant, retailer }, { name: body.site_name, ...profiles.site });
  const ring = await keyRing('encryption');
  const site = withAlertSettings(made.site, toAlertSettings(body), (text) => ({
    sealed: seal(ring, sealContext.token(made.site.sid), text),
    validUntil: null,
  }));
  const conflict = await tryTransact({
    name: newRow(toRetailerNameItem(retailer)),
    retailer: { Put: { Item: toRetailerItem(retailer) } },
    site: newSiteWrites(merchant, site),
    mail: mailWrite(retailer, site, body),
    key: claim?.write(site.sid),
  });
  if (claim && conflict?.on('key')) throw claim.overtaken();
  // A write repeated after a lost answer fails on its own condition; the retailer that has the name shows whether it succeeded.
  if (conflict && conflict.itemOf('name')?.['rid'] !== retailer.rid) throw new Refusal('retailer_name_taken');
  return { rid: retailer.rid, sid: site.sid };
};

/** Returns what an interrupted call has created. */
const readRetailerSite = async (sid: number): Promise<{ rid: number; sid: number }> => {
  const site = await getSite(sid);
  if (!site) throw new Error(`The site ${sid} is gone`);
  return { rid: site.rid, sid };
};

const mailWrite = (retailer: Retailer, site: Site, body: Enrolled): Write =>
  newMailWrite(
    createMail({
      id: mailIdOf(newTimedId()),
      kind: 'retailer_enrolled',
      sid: site.sid,
      mid: site.mid,
      to: [requireVariable('OPERATIONS_MAIL')],
      letter: operationsMail(retailer, site, body),
      at: nowIso(),
    }),
  );
