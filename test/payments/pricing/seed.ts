import { createHash } from 'node:crypto';
import { toRetailerItem } from '#accounts/merchants/merchant/merchant-row.ts';
import type { Site } from '#accounts/merchants/site/site.ts';
import { toSiteItem } from '#accounts/merchants/site/site-row.ts';
import { freshRcode } from '#accounts/merchants/site/site-secrets.ts';
import { keyRing } from '#core/platform/secrets/secrets.ts';
import { putItem } from '#core/platform/table/table.ts';
import { type Route, sandboxRoute } from '#payments/processors/routing/routing.ts';
import { toSiteProcessorsItem } from '#payments/processors/routing/site-processors-row.ts';
import { aSite } from '#test/disputes/alerts/samples.ts';
import type { Answer } from '#test/support/gateway-event.ts';

let lastSid = 500;

export type PayingSite = { site: Site; sid: number; rcode: string };

/** Writes a payment site of its own merchant and retailer, in USD, with an rcode. */
export const seedPayingSite = async (
  change: Partial<Site> = {},
  retailerProfile: Record<string, number> = {},
): Promise<PayingSite> => {
  lastSid += 1;
  const { text, kept } = freshRcode(await keyRing('encryption'), lastSid);
  const site = aSite({
    sid: lastSid,
    mid: 1000 + lastSid,
    rid: 2000 + lastSid,
    type: 'payment',
    alert: null,
    payment: {},
    profile: { currency: 'USD' },
    rcodes: [kept],
    ...change,
  });
  await putItem(toSiteItem(site));
  const { rid, mid, createdAt, merchantName, retailerName: name } = site;
  await putItem(toRetailerItem({ rid, mid, name, merchantName, createdAt, profile: retailerProfile }));
  return { site, sid: site.sid, rcode: text };
};

export const aRoute = (change: Partial<Route> = {}): Route => ({ ...sandboxRoute, id: 'r1', ...change });

export const seedRoutes = (sid: number, routes: readonly Route[]): Promise<void> =>
  putItem(toSiteProcessorsItem(sid, { routes, retired: [], version: 1 }));

export const md5 = (text: string): string => createHash('md5').update(text).digest('hex');

/** An answer whose body is an object. */
export const toReply = ({ status, body }: Answer): { status: number; body: Record<string, unknown> } => ({
  status,
  body: body as Record<string, unknown>,
});
