import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { captureHash, siteHash } from '#payments/payments/order/hashes.ts';
import { sampleTotal } from './payment-values.ts';
import type { SampleStack, Values } from './sample-stack.ts';

const Status = v.object({ now: v.string() });
const Token = v.object({ access_token: v.string() });

/**
 * - `{{mid}}`, `{{rid}}`, `{{sid}}`: the demo site and its parents; `{{rcode}}`, `{{signing_secret}}`: the site's
 * - `{{payment_sid}}`, `{{payment_rcode}}`: the demo payment site, in USD, whose payments go to the sandbox
 * - `{{site_hash}}`: a hash of that site alone; `{{capture_hash}}`: of a capture of 10.00 there
 * - `{{three_ds_sid}}`: the demo 3DS site; `{{enrollment_id}}`: the demo site's enrollment request
 * - `{{username}}`, `{{password}}`, `{{admin_username}}`, `{{admin_password}}`: the demo users'
 * - `{{token}}`, `{{admin_token}}`: fresh Bearer tokens of the merchant's user and of the administrator
 * - `{{now}}` (ISO), `{{slot}}`: the stack's time; the last 00:00 or 12:00 UTC, to the second
 * - `{{unique}}`: 12 letters and digits that were never used before, the same throughout one event
 * - `{{dashboard_file}}`: the name of a file of the dashboard
 */
export const knownValues = ({ url, credentials, read, get, post }: SampleStack): Values => {
  const { admin, merchant, site, payment_site, three_ds_site } = credentials;
  const tokenOf =
    ({ username, password }: { username: string; password: string }) =>
    async () =>
      v.parse(Token, await post('/api/v2/index.php/gettoken', { username, password })).access_token;
  return {
    mid: () => String(site.mid),
    rid: () => String(site.rid),
    sid: () => String(site.sid),
    enrollment_id: () => '1',
    rcode: () => site.rcode,
    signing_secret: () => site.signing_secret,
    payment_sid: () => String(payment_site.sid),
    payment_rcode: () => payment_site.rcode,
    three_ds_sid: () => String(three_ds_site.sid),
    site_hash: () => siteHash(payment_site.sid, payment_site.rcode),
    capture_hash: () => captureHash(payment_site.sid, sampleTotal, payment_site.rcode),
    username: () => merchant.username,
    password: () => merchant.password,
    admin_username: () => admin.username,
    admin_password: () => admin.password,
    token: tokenOf(merchant),
    admin_token: tokenOf(admin),
    now: async () => v.parse(Status, await get('/_local/status')).now,
    slot: async () => lastSlot(await read('now')),
    unique: () => randomUUID().replaceAll('-', '').slice(0, 12).toUpperCase(),
    dashboard_file: async () => {
      const page = await (await fetch(`${url}/dashboard`)).text();
      return /href="dashboard\/([^"]+)"/.exec(page)?.[1] ?? '';
    },
  };
};

const halfDay = 43_200_000;
const lastSlot = (now: string): string =>
  new Date(Math.floor(Date.parse(now) / halfDay) * halfDay).toISOString().replace('.000Z', 'Z');
