import { createHash } from 'node:crypto';
import { beforeAll } from 'vitest';
import { nowMilliseconds } from '#core/kernel/clock.ts';
import { newTenant, type Tenant } from '#test/accounts/merchants/tenant.ts';
import type { Answer } from '#test/support/gateway-event.ts';
import { ask } from '#test/support/operations.ts';
import { browser, siteSettings } from './samples.ts';

/** A merchant's server and the payer's page, as they call a 3DS site. */

type Fields = Record<string, unknown>;
export const pageOrigin = 'https://shop.example.com';
/** Where the handlers believe to be. */
export const ownOrigin = 'https://localhost';

const md5 = (text: string): string => createHash('md5').update(text).digest('hex');

/** Lets the sandbox authenticate; to be called at a file's top level. */
export const useThreeDsSandbox = (): void => {
  beforeAll(() => {
    Object.assign(process.env, { ALLOW_SANDBOX: 'true', ALLOW_LOOPBACK_HTTP: 'true' });
  });
};

type Sites = { settings?: Fields; servicesettings?: Fields; site?: Fields };

export const newThreeDsSite = async ({ site, ...settings }: Sites = {}): Promise<Tenant> =>
  withSettings(await newTenant(site ? { site } : {}), settings);

/** Another site of a merchant's, for its authentications. */
export const threeDsSiteOf = async (tenant: Tenant, settings: Sites = {}): Promise<Tenant> => {
  const { mid, rid } = tenant;
  const { status, body } = await ask('merchants/create-site', { params: { mid, rid }, body: { name: 'For 3DS' } });
  if (status !== 200) throw new Error(JSON.stringify(body));
  return withSettings({ ...tenant, ...(body as Pick<Tenant, 'sid' | 'rcode' | 'signing_secret'>) }, settings);
};

const withSettings = async (tenant: Tenant, { settings, servicesettings }: Sites): Promise<Tenant> => {
  const { mid, rid, sid, as } = tenant;
  const body = { settings: { ...siteSettings, ...settings }, servicesettings: servicesettings ?? {} };
  const { status, body: answer } = await ask('merchants/set-three-ds-settings', {
    as,
    params: { mid, rid, sid },
    body,
  });
  if (status !== 200) throw new Error(JSON.stringify(answer));
  return tenant;
};

/** The body of create3ds, with the right hash; fields changed as asked. */
export const createBody = ({ sid, rcode }: Pick<Tenant, 'sid' | 'rcode'>, change: Fields = {}): Fields => {
  const timestamp = String(Math.floor(nowMilliseconds() / 1000));
  const { amount = '10.50', currency = 'EUR' } = change;
  return {
    hash: md5(`${sid}${timestamp}${amount}${currency}${rcode}`),
    ...{ timestamp, amount, currency, page_origin: pageOrigin, email: 'ada@example.com' },
    ...change,
  };
};

export type Begun = { id: number; token: string; site: Tenant };

export const tryCreate = (site: Tenant, change: Fields = {}): Promise<Answer> =>
  ask('threeds/create3ds', { params: { id: site.sid }, body: createBody(site, change) });

const okay = <T>({ status, body }: Answer): T => {
  if (status !== 200) throw new Error(`Answered ${status}: ${JSON.stringify(body)}`);
  return body as T;
};

export const create = async (site: Tenant, change: Fields = {}): Promise<Begun> => {
  const reply = okay<{ authentication_id: number; client_token: string }>(await tryCreate(site, change));
  return { id: reply.authentication_id, token: reply.client_token, site };
};

export const cardFields = (number: string): Record<string, string> => ({
  card_no: number,
  card_exp_month: '12',
  card_exp_year: String(new Date(nowMilliseconds()).getUTCFullYear() + 2),
});

const operations = {
  start: 'threeds/start',
  authenticate: 'threeds/authenticate',
  status: 'threeds/status',
  cancel: 'threeds/cancel',
  frame: 'threeds/frame-data',
};

/** A call of the page, as the SDK makes it. */
export const asPage = (
  { id, token }: Pick<Begun, 'id' | 'token'>,
  what: keyof typeof operations,
  fields: Record<string, string> = {},
  headers: Record<string, string> = { origin: what === 'frame' ? ownOrigin : pageOrigin },
): Promise<Answer> =>
  ask(operations[what], { params: { id }, body: new URLSearchParams({ client_token: token, ...fields }), headers });

export type Reply = {
  step: string;
  outcome?: string;
  transStatus?: string | null;
  liability_shift?: boolean;
  three_d_secure?: string;
  authentication_id?: number;
  cardholder_info?: string | null;
};

export const start = async (begun: Begun, number: string): Promise<Reply> =>
  okay(await asPage(begun, 'start', cardFields(number)));

export const askFields = (number: string, change: Record<string, string> = {}): Record<string, string> => ({
  ...cardFields(number),
  ...{ browser: JSON.stringify(browser), window_size: '03', method: 'U' },
  ...change,
});

export const authenticate = async (begun: Begun, number: string, change: Record<string, string> = {}): Promise<Reply> =>
  okay(await asPage(begun, 'authenticate', askFields(number, change)));

/** Starts and asks. */
export const run = async (begun: Begun, number: string): Promise<Reply> => {
  const started = await start(begun, number);
  return started.step === 'done'
    ? started
    : authenticate(begun, number, { method: started.step === 'method' ? 'Y' : 'U' });
};

export const readStatus = async (begun: Begun): Promise<Reply> => okay(await asPage(begun, 'status'));

export const cancel = async (begun: Begun, reason: string): Promise<Reply> =>
  okay(await asPage(begun, 'cancel', { reason }));

export const tryDetails = ({ id, site }: Begun, change: Fields = {}): Promise<Answer> => {
  const hash = md5(`${site.sid}${id}${site.rcode}`);
  return ask('threeds/get3ds', { params: { id: site.sid }, body: { authentication_id: id, hash, ...change } });
};

export const readDetails = async (begun: Begun): Promise<Fields> => okay(await tryDetails(begun));
