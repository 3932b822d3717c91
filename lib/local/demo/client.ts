import { createHmac } from 'node:crypto';
import * as v from 'valibot';
import type { DemoCredentials } from './demo-tenant.ts';

/** The parts of a running stack that the personas of the story need. */
export type Playground = { url: string; credentials: DemoCredentials };

const Listed = v.object({ list: v.array(v.looseObject({})) });

/** Calls the stack; throws on an answer that is no success. */
const makeSender =
  (url: string) =>
  async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
    return JSON.parse(text) as unknown;
  };
type Send = ReturnType<typeof makeSender>;

const merchantCalls = (send: Send, { site: { mid, rid, sid, rcode }, merchant }: DemoCredentials) => {
  const token = async () => {
    const answer = await send('POST', '/api/v2/index.php/gettoken', merchant);
    return v.parse(v.object({ access_token: v.string() }), answer).access_token;
  };
  const bearer = async (path: string, body: unknown) =>
    send('POST', `/api/v3${path}`, body, { authorization: `Bearer ${await token()}` });
  return {
    /** Any call of the merchant's. */
    merchant: bearer,
    alert: async (alertId: string) =>
      v.parse(
        v.looseObject({ history: v.array(v.looseObject({ at: v.string(), by: v.string(), via: v.string() })) }),
        await bearer(`/service_alerts/alert/${alertId}/details`, {}),
      ),
    deliveries: async (alertId: string) =>
      v.parse(Listed, await bearer('/notifications/list', { alert_id: Number(alertId) })).list,
    answerAlert: (update: unknown) => send('POST', '/secure/alert/update/v2/', update, { rcode }),
    /** Has the demo site's webhooks come as JSON. */
    takeJson: () => bearer(`/site/mid/${mid}/rid/${rid}/sid/${sid}/alert`, { body_format: 'json' }),
    /** Names the merchant's own processors, and has a rule decide alerts. */
    /** Replaces those of an earlier story, whose services are gone. */
    connect: async (connections: unknown) => {
      const { version } = Object(await bearer(`/merchant/${mid}/connections/details`, {})) as { version?: number };
      return bearer(`/merchant/${mid}/connections`, { connections, version });
    },
    testConnection: (id: string) => bearer(`/merchant/${mid}/connections/${id}/test`, {}),
    createRule: (rule: object) => bearer('/service_alerts/rules/create', { sid, ...rule }),
    /** Alerts whose price can be claimed back. */
    credits: () => bearer('/service_alerts/credits/list', {}),
  };
};

const providerCalls = (send: Send, { providers }: DemoCredentials) => {
  const asProvider = async (provider: keyof typeof providers, path: string, sent: unknown, now: string) => {
    const body = JSON.stringify(sent);
    const seconds = Math.floor(Date.parse(now) / 1000);
    const digest = createHmac('sha256', providers[provider]).update(`${seconds}.${body}`).digest('hex');
    return send('POST', `/api/v3/providers/${provider}${path}`, body, { 'x-signature': `t=${seconds},v1=${digest}` });
  };
  return {
    /** Any call that a provider makes, signed over its bytes. */
    asProvider,
    /** Sends an alert as provider_a does. */
    sendAlert: async (alert: unknown, now: string) => {
      const answer = await asProvider('provider_a', '/alerts', alert, now);
      return v.parse(v.object({ alert_id: v.union([v.number(), v.string()]), matched: v.boolean() }), answer);
    },
  };
};

/** The calls that only the local stack offers: its clock, its endpoints that accept webhooks, its card networks and its mail. */
const stackCalls = (send: Send) => ({
  status: async () => v.parse(v.object({ now: v.string(), idle: v.boolean() }), await send('GET', '/_local/status')),
  moveClock: async (to: string) =>
    v.parse(v.object({ now: v.string() }), await send('POST', '/_local/clock', { set: to })).now,
  tellSink: (answer: unknown) => send('PUT', '/_local/sinks/demo', answer),
  readReceived: async () =>
    v.parse(
      v.array(v.object({ headers: v.record(v.string(), v.string()), body: v.string(), time: v.string() })),
      await send('GET', '/_local/sinks/demo'),
    ),
  /** Reads what a card network received, and makes it fail. */
  networkWasTold: (network: 'provider_a' | 'provider_b') => send('GET', `/_local/networks/${network}`),
  hurtNetwork: (network: 'provider_a' | 'provider_b', fault: unknown) =>
    send('PUT', `/_local/networks/${network}`, fault),
  /** Has an alert be fetched from provider_a. */
  offerAlert: (alert: object) => send('POST', '/_local/networks/provider_a', alert),
  /** Sends what a schedule would send. */
  sendToQueue: (name: string, message: object) => send('POST', `/_local/queues/${name}`, message),
  emails: async () => v.parse(v.array(v.looseObject({})), await send('GET', '/_local/emails')),
});

/** The calls that merchant, provider and spectator make, over HTTP like anybody's. Each throws on an unexpected answer. */
export const createClient = ({ url, credentials }: Playground) => {
  const send = makeSender(url);
  return { ...merchantCalls(send, credentials), ...providerCalls(send, credentials), ...stackCalls(send) };
};

export type Client = ReturnType<typeof createClient>;
