import { createHash } from 'node:crypto';
import type { PaymentSettings, Site } from '#accounts/merchants/site/site.ts';
import { toSiteItem } from '#accounts/merchants/site/site-row.ts';
import { freshRcode } from '#accounts/merchants/site/site-secrets.ts';
import { nowMilliseconds } from '#core/kernel/clock.ts';
import type { KeyRing } from '#core/kernel/crypto.ts';
import { putItem } from '#core/platform/table/table.ts';
import type { RemoteScorers, Scorer } from '#payments/fraud/scorers/scorer.ts';
import { aSite } from '#test/disputes/alerts/samples.ts';
import { ask } from '#test/support/operations.ts';

/** As `useOperations` has it. */
const ring: KeyRing = { current: 'k1', keys: { k1: 'the encryption secret of this test' } };

let last = 500;
export type PaymentSite = { site: Site; rcode: string };

/** Writes a payment site of its own merchant. */
export const seedPaymentSite = async (
  payment: PaymentSettings | null = { ftid: 1 },
  change: Partial<Site> = {},
): Promise<PaymentSite> => {
  last += 1;
  const rcode = freshRcode(ring, last);
  const type = payment === null ? 'alert' : 'payment';
  const site = aSite({ sid: last, mid: 1000 + last, type, alert: null, payment, rcodes: [rcode.kept], ...change });
  await putItem(toSiteItem(site));
  return { site, rcode: rcode.text };
};

const md5 = (text: string) => createHash('md5').update(text).digest('hex');

/** The body of a check of an order for 10.00 USD, its hash made with the site's rcode. */
export const orderBody = ({ site, rcode }: PaymentSite, change: Record<string, unknown> = {}) => {
  const timestamp = String(Math.floor(nowMilliseconds() / 1000));
  return {
    hash: md5(`${site.sid}${timestamp}10.00USD${rcode}`),
    timestamp,
    card_no: '4242424242424242',
    card_ccv: '987',
    card_exp_month: '12',
    card_exp_year: '2032',
    card_name: 'Anna Sample',
    firstname: 'Anna',
    lastname: 'Sample',
    email: 'anna@shop.example',
    country: 'US',
    item_name: ['A book'],
    item_amount_unit: ['10.00'],
    currency: 'USD',
    device_info: { ip: '203.0.113.7', device_id: 'd-1' },
    ...change,
  };
};

export const check = (seeded: PaymentSite, change: Record<string, unknown> = {}) =>
  ask('fraud/fraudcheck', { as: 'nobody', params: { id: seeded.site.sid }, body: orderBody(seeded, change) });

export const scorers = (minfraud: Scorer, sift: Scorer = minfraud): RemoteScorers => ({ minfraud, sift });
/** For sites whose template has no scorer. */
export const nobody = scorers(() => Promise.reject(new Error('nobody is asked here')));
