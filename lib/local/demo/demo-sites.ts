import * as v from 'valibot';
import { call } from './demo-calls.ts';

/** The content of the demo tenant, created through the service's own operations. */

const NewSite = v.object({ sid: v.number(), rcode: v.string(), signing_secret: v.string() });
export const Site = v.object({ mid: v.number(), rid: v.number(), ...NewSite.entries });

type Parents = { mid: number; rid: number };

export const makeSite = async (url: string, token: string, { mid, rid }: Parents, name: string) => {
  const profile = { name, url: 'https://shop.example', currency: 'USD' };
  return { mid, rid, ...(await call(url, `/site/mid/${mid}/rid/${rid}/create`, profile, token, NewSite)) };
};

/** Without routes to processors, so that the sandbox takes its payments. */
export const makePaymentSite = async (url: string, token: string, parents: Parents) => {
  const site = await makeSite(url, token, parents, 'Demo Checkout');
  const path = `/site/mid/${site.mid}/rid/${site.rid}/sid/${site.sid}/payment`;
  await call(url, path, { allow_refund: 1, notify_email: 'payments@shop.example' }, token, v.looseObject({}));
  return site;
};

/** Its authentications go to the sandbox's directory server and issuers. */
export const makeThreeDsSite = async (url: string, token: string, parents: Parents) => {
  const site = await makeSite(url, token, parents, 'Demo 3-D Secure');
  const settings = {
    acquirerBin: '438309',
    acquirerMid: '00002000000',
    mcc: '5732',
    merchantCountryCode: 'US',
    merchantName: 'Demo Shop',
    requestorName: 'Demo Shop',
    requestorURL: 'https://shop.example',
  };
  const path = `/site/mid/${site.mid}/rid/${site.rid}/sid/${site.sid}/3ds`;
  const servicesettings = { three_ds_provider: 'sandbox' };
  await call(url, path, { settings, servicesettings }, token, v.looseObject({}));
  return site;
};

type SitePath = Parents & { sid: number };

/** Has a site notify an address. */
export const pointNotifications = async (
  url: string,
  token: string,
  { mid, rid, sid }: SitePath,
  sink = `${url}/_local/sink/demo`,
): Promise<void> => {
  const settings = {
    alertapiurl: sink,
    statusupdate_url: sink,
    descriptorid: 'demo',
    token: 'demo-webhook-token',
    alert_triggeremail: 1,
    alert_email: 'alerts@shop.example',
  };
  await call(url, `/site/mid/${mid}/rid/${rid}/sid/${sid}/alert`, settings, token, v.looseObject({}));
};

const cardNetworks = ['provider_a', 'provider_b'] as const;
const descriptors = [
  { descriptor: 'DEMO SHOP', match_type: 'Exact' },
  { descriptor: 'DEMO*', match_type: 'Starts with' },
] as const;
const network = { network_bin: '423223', network_caid: '1231231' } as const;

/** Enrolls the demo descriptors and the number of a network for a site, and has them granted. */
export const enroll = async (url: string, token: string, sid: number): Promise<void> => {
  const items = descriptors.map((item) => ({ ...item, provider: cardNetworks }));
  const { enrollment_request_id: id } = await call(
    url,
    '/service_alerts/descriptor_enrollment/create',
    { sid, enrollment_items: [...items, { provider: ['rdr'], ...network }] },
    token,
    v.object({ enrollment_request_id: v.number() }),
  );
  const changes = [
    ...cardNetworks.flatMap((provider) => descriptors.map(({ descriptor }) => ({ provider, descriptor }))),
    { provider: 'rdr', ...network },
  ];
  const path = `/service_alerts/descriptor_enrollment/${id}/item`;
  for (const change of changes) await call(url, path, { ...change, status: 'ENROLLED' }, token, v.looseObject({}));
};

/**
 * Makes the demo merchant with a retailer and three sites: one for alerts with enrolled descriptors, which notifies `sink` (by default that of the
 * local service), one for payments and one for authentications.
 */
export const makeDemoMerchant = async (
  url: string,
  token: string,
  { clientId, sink }: { clientId: string; sink?: string },
) => {
  const { mid } = await call(
    url,
    '/merchant/create',
    {
      ...{ name: 'Demo Merchant', alerts: true, cbm: true, payments: true, threeDS: true },
      ...{ order_insights: true, oi_merchant_id: clientId },
    },
    token,
    v.object({ mid: v.number() }),
  );
  const retailer = { name: 'Demo Retailer', currency: 'USD' };
  const { rid } = await call(url, `/retailer/mid/${mid}/create`, retailer, token, v.object({ rid: v.number() }));
  const site = await makeSite(url, token, { mid, rid }, 'Demo Shop');
  await pointNotifications(url, token, site, sink);
  await enroll(url, token, site.sid);
  const payment_site = await makePaymentSite(url, token, { mid, rid });
  const three_ds_site = await makeThreeDsSite(url, token, { mid, rid });
  return { mid, site, payment_site, three_ds_site };
};
