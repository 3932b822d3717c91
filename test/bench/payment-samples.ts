import { createHash } from 'node:crypto';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { Site } from '#accounts/merchants/site/site.ts';
import { toSiteItem } from '#accounts/merchants/site/site-row.ts';
import { freshRcode, freshSigningSecret } from '#accounts/merchants/site/site-secrets.ts';
import { nowMilliseconds } from '#core/kernel/clock.ts';
import { type KeyRing, seal } from '#core/kernel/crypto.ts';
import type { Item } from '#core/platform/table/table.ts';
import { credentialsContext, type Route, sandboxRoute } from '#payments/processors/routing/routing.ts';
import { toSiteProcessorsItem } from '#payments/processors/routing/site-processors-row.ts';
import type { StripeCredentials } from '#payments/processors/stripe/stripe-client.ts';
import { singleTxOperation } from '#payments/transactions/api/singletx/operation.ts';
import { aSite } from '#test/disputes/alerts/samples.ts';
import { gatewayEvent } from '#test/support/gateway-event.ts';
import { theSecret } from '#test/support/tls-dynamo.ts';

/** The `encryption` secret of whatever the calls are measured against. */
const ring: KeyRing = { current: 'k1', keys: { k1: theSecret } };

export type Shop = { site: Site; rcode: string };

/** A payment site in USD. Without routes, so the sandbox takes its payments. */
export const makeShop = (sid: number, payment: NonNullable<Site['payment']> = {}): Shop => {
  const [rcode, signing] = [freshRcode(ring, sid), freshSigningSecret(ring, sid)];
  const kept = { rcodes: [rcode.kept], signingSecrets: [signing.kept] };
  const site = aSite({ sid, type: 'payment', alert: null, payment, profile: { currency: 'USD' }, ...kept });
  return { site, rcode: rcode.text };
};

export const rowOfShop = ({ site }: Shop): Item => toSiteItem(site);

/** Has a site's payments go to an account at Stripe. */
export const rowOfStripe = ({ site: { sid } }: Shop, credentials: StripeCredentials): Item => {
  const id = 'route-of-stripe';
  const sealed = seal(ring, credentialsContext(sid, id), JSON.stringify(credentials));
  const route: Route = { ...sandboxRoute, id, processor: 'stripe', sealed };
  return toSiteProcessorsItem(sid, { routes: [route], retired: [], version: 1 });
};

const md5 = (text: string): string => createHash('md5').update(text).digest('hex');

/** No two orders have the same timestamp: a hash signs one order. */
let signed = 0;

/** A call of singletx as a shop signs it: 10.00 USD for one item, fields changed as asked. */
export const orderEvent = (
  { site: { sid }, rcode }: Shop,
  change: Readonly<Record<string, unknown>> = {},
): APIGatewayProxyEvent => {
  signed += 1;
  const timestamp = String(Math.floor(nowMilliseconds() / 1000) + (signed % 800));
  const body = {
    hash: md5(`${sid}${timestamp}10.00USD${rcode}`),
    timestamp,
    card_type: 'VISA',
    card_no: '4242424242424242',
    card_ccv: '123',
    card_exp_month: '12',
    card_exp_year: '2039',
    card_name: 'Jenny Rosen',
    firstname: 'Jenny',
    lastname: 'Rosen',
    email: 'jenny.rosen@example.com',
    address: '27 Fredrick Ave',
    suburb_city: 'Brothers',
    state: 'OR',
    country: 'US',
    postcode: '97712',
    item_quantity: [1],
    item_name: ['Hosting'],
    item_amount_unit: ['10.00'],
    currency: 'USD',
    tx_action: 'PAYMENT',
    reference: 'Order 7',
    postback_url: 'https://shop.example.com/postback',
    ...change,
  };
  return gatewayEvent({
    path: singleTxOperation.path,
    pathParameters: { id: String(sid) },
    headers: { 'Content-Type': 'application/json' },
    body: Buffer.from(JSON.stringify(body)).toString('base64'),
    isBase64Encoded: true,
  });
};

/** The hash of getstatus. */
export const statusHash = ({ site: { sid }, rcode }: Shop): string => md5(`${sid}${rcode}`);
