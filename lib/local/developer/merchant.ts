import { setTimeout as wait } from 'node:timers/promises';
import * as v from 'valibot';
import { milliseconds } from '#core/kernel/clock.ts';
import { demoCredentialsShape } from '../demo/demo-tenant.ts';
import { dataFolder, readEndpoints } from '../endpoints.ts';
import { UserError } from '../user-error.ts';
import { Notification } from './attempts.ts';

const Token = v.object({ access_token: v.string() });
const Notifications = v.object({ list: v.array(Notification) });
const Made = v.object({ alert_id: v.number() });
const Details = v.object({
  status: v.string(),
  reason_code: v.nullable(v.string()),
  provider_outcome: v.nullable(v.object({ state: v.string() })),
});
const Found = v.object({
  match: v.string(),
  transactions: v.array(v.object({ reference: v.string(), kind: v.string(), matches: v.boolean() })),
  unasked: v.array(v.object({ kind: v.string(), msg: v.string() })),
});

/** Reads an answer of the local stack; waits while the stack is being reset. Throws UserError for any other refusal. */
const readFrom = async <S extends v.GenericSchema>(
  schema: S,
  url: string,
  init?: RequestInit,
): Promise<v.InferOutput<S>> => {
  for (;;) {
    const response = await fetch(url, init);
    const text = await response.text();
    if (response.ok) return v.parse(schema, JSON.parse(text));
    const retryAfter = response.status === 503 ? Number(response.headers.get('retry-after')) : 0;
    if (!(retryAfter > 0)) throw new UserError(`${new URL(url).pathname} answered ${response.status}: ${text}`);
    await wait(retryAfter * milliseconds.second);
  }
};

type Call = <S extends v.GenericSchema>(schema: S, path: string, body: unknown) => Promise<v.InferOutput<S>>;

/** The present state of an alert, and what connections found. */
const readOutcome = async (call: Call, alertId: number) => {
  const path = `/api/v3/service_alerts/alert/${alertId}`;
  return { ...(await call(Details, `${path}/details`, {})), ...(await call(Found, `${path}/transactions`, {})) };
};

/** Opens the running local stack as the developer of the demo merchant. Throws UserError if none runs. */
export const openMerchant = async () => {
  const endpoints = readEndpoints();
  if (!endpoints)
    throw new UserError(`No local stack runs with the data folder ${dataFolder()}; start it with npm start.`);
  const { url } = endpoints;
  const read = <S extends v.GenericSchema>(schema: S, path: string, init?: RequestInit) =>
    readFrom(schema, `${url}${path}`, init);
  const post = (body: unknown, headers: Record<string, string> = {}): RequestInit => ({
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  const credentials = await read(demoCredentialsShape, '/_local/credentials');
  const { merchant, site } = credentials;
  const signIn = async () => (await read(Token, '/api/v2/index.php/gettoken', post(merchant))).access_token;
  let token = await signIn();
  /** An hour's listening outlasts a token. */
  const call = async <S extends v.GenericSchema>(schema: S, path: string, body: unknown) => {
    const attempt = () => read(schema, path, post(body, { authorization: `Bearer ${token}` }));
    return attempt().catch(async (error: unknown) => {
      if (!String(error).includes(' 401')) throw error;
      token = await signIn();
      return attempt();
    });
  };
  const settingsPath = `/api/v3/site/mid/${site.mid}/rid/${site.rid}/sid/${site.sid}/alert`;
  return {
    url,
    credentials,
    signIn,
    signingSecret: site.signing_secret,
    /** The sink that replaces an endpoint. */
    sink: `${url}/_local/sink/demo`,
    pointTo: (target: string) =>
      call(v.looseObject({}), settingsPath, { alertapiurl: target, statusupdate_url: target }),
    notifications: async (size: number) =>
      (await call(Notifications, '/api/v3/notifications/list', { sid: site.sid, size })).list,
    replay: (id: string) => call(v.looseObject({}), `/api/v3/notifications/${id}/replay`, {}),
    testAlert: async (alert: Record<string, string>) =>
      (await call(Made, '/secure/alerts/service_dummy', alert)).alert_id,
    outcome: (alertId: number) => readOutcome(call, alertId),
    now: async () => (await read(v.object({ now: v.string() }), '/_local/clock')).now,
    isIdle: async () => (await read(v.object({ idle: v.boolean() }), '/_local/status')).idle,
  };
};
