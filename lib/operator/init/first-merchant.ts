import * as v from 'valibot';
import type { SigningProvider } from '#disputes/providers/providers.ts';
import { isEnrolledByNetwork } from '#disputes/providers/providers.ts';
import { UserError } from '#lib/local/user-error.ts';
import type { InitAnswers } from './questions.ts';

/** The service that is set up. `token`: an administrator's. */
export type Service = { url: string; token: string };

/** The created merchant. `enrollment`: the number of the request; null if no network enrolls descriptors. */
export type FirstMerchant = { mid: number; rid: number; sid: number; enrollment: string | null };

type Reply = Readonly<Record<string, unknown>>;

/** Calls the API. Throws UserError with the service's words if it refuses. */
export const callService = async ({ url, token }: Service, path: string, body: object = {}): Promise<Reply> => {
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const reply: Reply = Object(await response.json());
  if (response.ok) return reply;
  throw new UserError(`${path}: ${[reply['msg'], reply['details']].filter(Boolean).join(': ')}`);
};

/** Checks whether the service answers. Throws UserError if it does not. */
export const checkHealth = async (url: string): Promise<void> => {
  const response = await fetch(`${url}/health`).catch(() => undefined);
  if (response?.status !== 200) throw new UserError(`${url}/health does not answer with 200. Is the service deployed?`);
};

const Sites = v.object({
  list: v.array(v.object({ mid: v.number(), rid: v.number(), sid: v.number(), name: v.string() })),
});

/** Finds the alert site that an earlier run has created for the merchant; undefined: none. */
export const findFirstMerchant = async (service: Service, name: string): Promise<FirstMerchant | undefined> => {
  const { list } = v.parse(Sites, await callService(service, '/api/v3/site/list', { size: 100 }));
  const site = list.find((one) => one.name === name);
  return site && { mid: site.mid, rid: site.rid, sid: site.sid, enrollment: null };
};

/**
 * Creates the merchant with a retailer, an alert site and, at networks that enroll descriptors, its enrollment. `say`: called with the site's secrets
 * as soon as they exist, because they are never shown again.
 */
export const createFirstMerchant = async (
  service: Service,
  answers: InitAnswers,
  say: (line: string) => void,
): Promise<FirstMerchant> => {
  const { merchant: name, siteUrl: url, currency, descriptor, endpoint, networks, operationsEmail } = answers;
  const call = (path: string, body: object) => callService(service, path, body);
  const { mid } = await call('/api/v3/merchant/create', { name, alerts: true });
  const { rid } = await call(`/api/v3/retailer/mid/${mid}/create`, { name, currency });
  const site = await call(`/api/v3/site/mid/${mid}/rid/${rid}/create`, { name, url, currency });
  const { sid } = site;
  say(`Merchant ${mid}, retailer ${rid}, alert site ${sid}.`);
  say(`rcode ${site['rcode']} (shown once): your server answers alerts with it.`);
  say(`Signing secret ${site['signing_secret']} (shown once): your server verifies webhooks with it.`);
  await call(`/api/v3/site/mid/${mid}/rid/${rid}/sid/${sid}/alert`, {
    ...(endpoint !== '' && { alertapiurl: endpoint, statusupdate_url: endpoint }),
    alert_triggeremail: 1,
    alert_email: operationsEmail,
  });
  const provider = networks.filter((one) => !isEnrolledByNetwork(one));
  const enrolled =
    provider.length === 0
      ? undefined
      : await call('/api/v3/service_alerts/descriptor_enrollment/create', {
          sid,
          enrollment_items: [{ descriptor, match_type: 'Starts with', provider }],
        });
  return {
    ...{ mid: Number(mid), rid: Number(rid), sid: Number(sid) },
    enrollment: enrolled === undefined ? null : String(enrolled['enrollment_request_id']),
  };
};

/** Records that the networks have enrolled the descriptor. On a real stage an operator does so when a network has confirmed it. */
export const confirmEnrollment = async (
  service: Service,
  { descriptor, networks }: InitAnswers,
  { enrollment }: FirstMerchant,
): Promise<void> => {
  for (const provider of networks.filter((one: SigningProvider) => !isEnrolledByNetwork(one))) {
    await callService(service, `/api/v3/service_alerts/descriptor_enrollment/${enrollment}/item`, {
      ...{ provider, descriptor, status: 'ENROLLED' },
    });
  }
};

/** Makes a test alert for the merchant's descriptor, and returns its number and status. */
export const makeTestAlert = async (
  service: Service,
  { descriptor }: InitAnswers,
): Promise<{ alertId: number; status: string }> => {
  const { alert_id } = await callService(service, '/secure/alerts/service_dummy', {
    ...{ alert_type: 'DISPUTE', descriptor, amount: '12.50', currency: 'USD', card: '411111******1111' },
    transaction_timestamp: new Date().toISOString(),
  });
  const { status } = await callService(service, `/api/v3/service_alerts/alert/${alert_id}/details`);
  return { alertId: Number(alert_id), status: String(status) };
};
