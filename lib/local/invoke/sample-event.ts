import { createHmac, randomInt, randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { Secret, TOTP } from 'otpauth';
import * as v from 'valibot';
import { captureHash, orderHash, siteHash } from '../../../functions/payments/hashes.ts';
import { fromBase64Url, toBase64Url } from '../../../functions/threeds/base64url.ts';
import { detailsHash } from '../../../functions/threeds/replies.ts';
import type { DemoCredentials } from '../demo/demo-tenant.ts';
import { UserError } from '../user-error.ts';
import { newArnOf, newOrderOf } from './sample-orders.ts';

/**
 * Sample events (`events/<area>/<name>.json`) name what only a running stack can know by placeholders, in double braces,
 * inside any text of the file: `"rcode": "{{rcode}}"`, `"body": "{\"sid\":{{sid}}}"`. They are filled in from the demo
 * tenant; what must exist first, such as an alert, is made on the way.
 *
 * - `{{mid}}`, `{{rid}}`, `{{sid}}`: the demo site and its parents; `{{enrollment_id}}`: its enrollment request
 * - `{{new_sid}}`: a new site of theirs, without a type
 * - `{{new_payment_sid}}`: a new payment site of theirs; `{{stripe_sid}}`: one that has an account at Stripe
 * - `{{payment_sid}}`, `{{payment_rcode}}`: the demo payment site, in USD, whose payments go to the sandbox
 * - `{{order_hash}}`: the hash of an order there for 10.00 USD, made at `{{now_seconds}}`; `{{site_hash}}`: of the site alone;
 *   `{{capture_hash}}`: of a capture of 10.00
 * - `{{txid}}`: a new payment there of 10.00 USD; `{{funding_txid}}`: one of 20.00 USD, which a payout needs; `{{preauth_txid}}`: a new PREAUTH of as much; `{{otp_txid}}`: a new payment
 *   that waits for the payer's code, `{{otp_token}}`: of the link to its page; `{{sandbox_page}}`: the end of the address of a page on which a payer is asked; `{{fraud_id}}`: a fraud check of an order there
 * - `{{three_ds_sid}}`: the demo 3DS site; `{{three_ds_hash}}`: the hash of an authentication there of 10.00 USD
 * - `{{authentication_id}}`, `{{client_token}}`, `{{authentication_hash}}`: a new authentication there, for the page
 *   https://shop.example.com; `{{started_id}}`, `{{started_token}}`: one that was started with the card of its sample;
 *   `{{challenged_id}}`, `{{challenged_token}}`: one whose payer is at the issuer, `{{creq}}`, `{{cres}}`: its messages
 * - `{{rcode}}`, `{{signing_secret}}`: the demo site's
 * - `{{username}}`, `{{password}}`, `{{admin_username}}`, `{{admin_password}}`: the demo users'
 * - `{{token}}`, `{{admin_token}}`: fresh Bearer tokens of the merchant's user and of the administrator
 * - `{{session_cookie}}`: the value of the cookie of a new session; `{{new_username}}`: a new user of the demo merchant, an analyst,
 *   `{{password_link_token}}`: of the link to set their password; `{{challenge}}`, `{{factor_code}}`: what a sign-in waits for, and its answer
 * - `{{alert_id}}`: a new open alert of the demo site; `{{unmatched_alert_id}}`: a new one that matches nobody
 * - `{{quarantine_id}}`: a new message of provider_a that could not be read
 * - `{{disputed_alert_id}}`: a new one about a new payment at the demo payment site, `{{disputed_txid}}`
 * - `{{outcome_id}}`: what its provider is owed after an update of `{{alert_id}}`; `{{refused_outcome_id}}`: of another alert,
 *   which the provider does not know
 * - `{{connection_id}}`: the demo merchant's connection to the sandbox, as to a processor of its own
 * - `{{chargeback_id}}`: a new chargeback of a payment at the demo payment site; `{{sandbox_dispute_id}}`: what the sandbox calls another
 * - `{{back_test_id}}`: a new back-test of the demo site's rules
 * - `{{rule_id}}`: a new rule of the demo site, disabled; `{{rule_ids}}`: all its rules, separated by commas
 * - `{{order_id}}`: a new order of the demo site; `{{order_arn}}`: the acquirer's reference number of another
 * - `{{delivery_id}}`, `{{mail_id}}`: the notification and the e-mail of `{{alert_id}}`
 * - `{{dashboard_file}}`: the name of a file of the dashboard
 * - `{{now}}` (ISO), `{{now_seconds}}`, `{{slot}}`: the stack's time, seconds a little ahead; the last 00:00 or 12:00 UTC, to the second
 * - `{{unique}}`: 12 letters and digits that were never used before, the same throughout one event
 * - `{{signature:provider_a}}`, `…provider_b}}`, `…rdr}}`: the value of `x-signature` for the event's `body`, all else filled in;
 *   `{{signature:stripe}}`: that of `stripe-signature`, for `{{stripe_sid}}`
 */
export type SampleValues = {
  /** The value of a placeholder; undefined if there is none of that name. */
  read(name: string): Promise<string | undefined>;
  sign(provider: string, body: string): Promise<string>;
};

const placeholder = /\{\{([a-z_]+(?::[a-z_]+)?)\}\}/g;
const WithBody = v.object({ body: v.string() });

/** Fills in a sample event. Throws UserError on a placeholder that nobody knows or text that is no JSON. */
export const fillSample = async (text: string, values: SampleValues): Promise<unknown> => {
  const names = new Set([...text.matchAll(placeholder)].map(([, name = '']) => name));
  const known = new Map<string, string>();
  const signers = [...names].filter((name) => name.startsWith('signature:'));
  for (const name of names) if (!signers.includes(name)) known.set(name, await valueOrThrow(values, name));
  const filled = replaced(text, known);
  for (const name of signers) {
    const { body } = v.parse(WithBody, parsed(filled));
    known.set(name, await values.sign(name.slice('signature:'.length), body));
  }
  return parsed(replaced(text, known));
};

const valueOrThrow = async (values: SampleValues, name: string): Promise<string> => {
  const value = await values.read(name);
  if (value === undefined) throw new UserError(`The sample event asks for {{${name}}}, which nothing fills in.`);
  return value;
};

/** Values stand inside JSON texts, also inside texts that hold JSON themselves: none needs escaping, which is checked. */
const replaced = (text: string, known: ReadonlyMap<string, string>): string =>
  text.replace(placeholder, (whole, name: string) => {
    const value = known.get(name);
    if (value !== undefined && /["\\\n]/.test(value))
      throw new UserError(`The value of {{${name}}} cannot stand in JSON.`);
    return value ?? whole;
  });

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UserError(`The sample event is not JSON: ${error instanceof Error ? error.message : ''}.`);
  }
};

const Token = v.object({ access_token: v.string() });
const Alert = v.object({ alert_id: v.union([v.number(), v.string()]) });
const Site = v.object({ sid: v.number() });
const Told = v.object({ provider_outcome: v.object({ id: v.string(), state: v.string() }) });
const Paid = v.object({ txid: v.union([v.number(), v.string()]) });
const Connected = v.object({ connections: v.tuple([v.object({ id: v.string() })]) });
const Chargebacks = v.object({ list: v.array(v.object({ txid: v.number(), chargeback_id: v.string() })) });
const Begun = v.object({ back_test_id: v.string() });
const Rule = v.object({ rule_id: v.number() });
const Check = v.object({ fraud_id: v.number() });
const Rules = v.object({ list: v.array(Rule) });
const Quarantine = v.object({ list: v.array(v.object({ id: v.string() })) });
const Redirected = v.object({ next_action: v.object({ url: v.string() }) });
const Status = v.object({ now: v.string() });
const Session = v.object({ access_token: v.string() });
const Linked = v.object({ username: v.string(), setup_url: v.string() });
const SetUp = v.object({ challenge: v.string(), secret: v.string() });

type Values = Readonly<Record<string, (() => string | Promise<string>) | undefined>>;

/** The values of a running stack with its demo tenant, each found or made when it is first asked for. */
export const sampleValues = (url: string, credentials: DemoCredentials): SampleValues => {
  const made = new Map<string, string | Promise<string>>();
  const once = (name: string, make: (() => string | Promise<string>) | undefined) => {
    const value = made.get(name) ?? make?.();
    if (value !== undefined) made.set(name, value);
    return value;
  };
  const read = async (name: string) => once(name, values[name]);
  const now = async () => String(await read('now'));
  const sign = async (provider: string, body: string) =>
    signature(secretOf({ ...credentials.providers, stripe: stripeSecret }, provider), body, await now());
  const values: Values = {
    ...knownValues(credentials),
    ...madeValues(url, credentials, { read, sign }),
    ...authenticationValues(url, credentials, read),
    ...signInValues(url, credentials, { read, sign }),
  };
  return { sign, read };
};

/** What stands in the credentials. */
const knownValues = ({ admin, merchant, site, payment_site, three_ds_site }: DemoCredentials): Values => ({
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
  unique: () => randomUUID().replaceAll('-', '').slice(0, 12).toUpperCase(),
});

/** A hash signs one order, and samples are filled within one second: far fewer seconds ahead than signatures may be. */
const mostSecondsAhead = 240;
let filled = 0;
const nextOffset = (): number => {
  filled += 1;
  return (filled - 1) % mostSecondsAhead;
};

/** What the stack is asked for, or asked to make. */
const madeValues = (url: string, credentials: DemoCredentials, { read, sign }: SampleValues): Values => {
  const { merchant, site, payment_site } = credentials;
  const text = async (name: string) => String(await read(name));
  const token = (user: { username: string; password: string }) => async () =>
    v.parse(Token, await request(`${url}/api/v2/index.php/gettoken`, JSON.stringify(user))).access_token;
  const alert =
    (descriptor: string, change: object = {}) =>
    async () => {
      const body = sampleAlert(descriptor, await text('now'), change);
      const headers = { 'x-signature': await sign('provider_a', body) };
      return String(v.parse(Alert, await request(`${url}/api/v3/providers/provider_a/alerts`, body, headers)).alert_id);
    };
  const outcome = async (alertId: string) => {
    const headers = { authorization: `Bearer ${await text('token')}` };
    const details = await request(`${url}/api/v3/service_alerts/alert/${alertId}/details`, '{}', headers);
    return v.parse(Told, details).provider_outcome;
  };
  const answered = async (alertId: string) => {
    const update = { alert_id: alertId, status: 'DECLINED', reason_code: '902.002' };
    await request(`${url}/secure/alert/update/v2/`, JSON.stringify(update), { rcode: site.rcode });
    return (await outcome(alertId)).id;
  };
  const newSite = async () => {
    const headers = { authorization: `Bearer ${await text('token')}` };
    const path = `/api/v3/site/mid/${site.mid}/rid/${site.rid}/create`;
    return String(v.parse(Site, await request(`${url}${path}`, '{"name":"A new site"}', headers)).sid);
  };
  const manageSite = async (path: string, body: object) => {
    const headers = { authorization: `Bearer ${await text('token')}` };
    return request(`${url}/api/v3/site/${path}`, JSON.stringify(body), headers);
  };
  const newPaymentSite = async () => {
    const sid = await newSite();
    await manageSite(`mid/${site.mid}/rid/${site.rid}/sid/${sid}/payment`, {});
    return sid;
  };
  const hashOf = async (total: string) => {
    const order = { sid: payment_site.sid, timestamp: await text('now_seconds'), total, currency: 'USD' };
    return orderHash(order, payment_site.rcode);
  };
  const sendOrder = async (
    operation: 'singletx' | 'fraudcheck',
    action: 'PAYMENT' | 'PREAUTH',
    total: string,
    change: Record<string, string> = {},
  ) => {
    const signed = { hash: await hashOf(total), timestamp: await text('now_seconds') };
    const order = sampleOrder({ action, total, now: await text('now'), postbackUrl: `${url}/_local/sink/payments` });
    const body = new URLSearchParams({ ...signed, ...order, ...change }).toString();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    return request(`${url}/api/v1/index.php/${payment_site.sid}/${operation}`, body, headers);
  };
  const transaction = (action: 'PAYMENT' | 'PREAUTH', total: string) => async () =>
    String(v.parse(Paid, await sendOrder('singletx', action, total)).txid);
  const askRules = async (operation: string, body: object): Promise<unknown> => {
    const headers = { authorization: `Bearer ${await text('token')}` };
    const sent = JSON.stringify({ sid: site.sid, ...body });
    return request(`${url}/api/v3/service_alerts/rules/${operation}`, sent, headers);
  };
  return {
    now: async () => v.parse(Status, await request(`${url}/_local/status`)).now,
    now_seconds: async () => String(Math.floor(Date.parse(await text('now')) / 1000) + nextOffset()),
    slot: async () => lastSlot(await text('now')),
    token: token(merchant),
    alert_id: alert('DEMO SHOP'),
    unmatched_alert_id: alert('NOBODY KNOWS THIS'),
    quarantine_id: async () => {
      const body = sampleAlert('DEMO SHOP', await text('now'), { type: 'UNHEARD_OF' });
      const signed = { 'content-type': 'application/json', 'x-signature': await sign('provider_a', body) };
      await fetch(`${url}/api/v3/providers/provider_a/alerts`, { method: 'POST', headers: signed, body });
      const headers = { authorization: `Bearer ${await text('admin_token')}` };
      const { list } = v.parse(Quarantine, await request(`${url}/api/v3/service_alerts/quarantine`, '{}', headers));
      return list[0]?.id ?? '';
    },
    // No other payment has its amount, or nobody could say which of them the alert is about.
    disputed_amount: () => `${randomInt(100, 10_000)}.00`,
    disputed_txid: async () => transaction('PAYMENT', await text('disputed_amount'))(),
    disputed_alert_id: async () => {
      await text('disputed_txid');
      const amount = { value: await text('disputed_amount'), currencyCode: 'USD' };
      return alert('DEMO SHOP', { cardBin: '424242', cardLast4: '4242', authCode: undefined, amount })();
    },
    outcome_id: async () => answered(await text('alert_id')),
    refused_outcome_id: async () => {
      const alertId = await alert('DEMO SHOP', { alertId: unknownCase() })();
      await answered(alertId);
      for (;;) {
        const { id, state } = await outcome(alertId);
        if (state === 'REFUSED') return id;
        await wait(20);
      }
    },
    new_sid: newSite,
    new_payment_sid: newPaymentSite,
    stripe_sid: async () => {
      const sid = await newPaymentSite();
      await manageSite(`${sid}/processors`, { routes: [{ processor: 'stripe', credentials: stripeAccount }] });
      return sid;
    },
    sandbox_page: async () => {
      const { next_action } = v.parse(Redirected, await sendOrder('singletx', 'PAYMENT', '10.63'));
      return next_action.url.split('/').at(-1) ?? '';
    },
    order_hash: () => hashOf(sampleTotal),
    txid: transaction('PAYMENT', sampleTotal),
    funding_txid: transaction('PAYMENT', '20.00'),
    preauth_txid: transaction('PREAUTH', sampleTotal),
    // Which amounts the sandbox asks a code for: see processors/sandbox.ts.
    otp_link: async () => v.parse(Redirected, await sendOrder('singletx', 'PAYMENT', '10.64')).next_action.url,
    otp_txid: async () => new URL(await text('otp_link')).pathname.split('/').at(-1) ?? '',
    otp_token: async () => new URL(await text('otp_link')).searchParams.get('token') ?? '',
    fraud_id: async () => String(v.parse(Check, await sendOrder('fraudcheck', 'PAYMENT', sampleTotal)).fraud_id),
    connection_id: async () => {
      const headers = { authorization: `Bearer ${await text('token')}` };
      const sent = JSON.stringify({ connections: [{ kind: 'sandbox', label: 'Trial' }] });
      const set = await request(`${url}/api/v3/merchant/${site.mid}/connections`, sent, headers);
      return v.parse(Connected, set).connections[0].id;
    },
    sandbox_dispute_id: async () => `sbd_${await text('txid')}_0`,
    chargeback_id: async () => {
      const order = await sendOrder('singletx', 'PAYMENT', sampleTotal, { card_no: disputedCard });
      const { txid } = v.parse(Paid, order);
      const headers = { authorization: `Bearer ${await text('token')}` };
      for (;;) {
        const answer = await request(`${url}/api/v3/service_alerts/chargebacks/list`, '{}', headers);
        const made = v.parse(Chargebacks, answer).list.find((one) => String(one.txid) === String(txid));
        if (made) return made.chargeback_id;
        await wait(50);
      }
    },
    back_test_id: async () => v.parse(Begun, await askRules('back-test', { days: 1 })).back_test_id,
    rule_id: async () => String(v.parse(Rule, await askRules('create', { ...sampleRule, enabled: false })).rule_id),
    rule_ids: async () => {
      await text('rule_id');
      return v
        .parse(Rules, await askRules('list', {}))
        .list.map(({ rule_id }) => rule_id)
        .join(',');
    },
    dashboard_file: async () => {
      const page = await (await fetch(`${url}/dashboard`)).text();
      return /href="dashboard\/([^"]+)"/.exec(page)?.[1] ?? '';
    },
    order_id: async () => newOrderOf(url, { sid: site.sid, now: await text('now'), token: await text('token') }),
    order_arn: async () => newArnOf(url, { sid: site.sid, now: await text('now'), token: await text('token') }),
    delivery_id: async () => `ntf_${await text('alert_id')}`,
    mail_id: async () => `eml_${await text('alert_id')}`,
  };
};

/** What signing in with a browser takes. */
const signInValues = (url: string, { admin, merchant, site }: DemoCredentials, { read }: SampleValues): Values => {
  const text = async (name: string) => String(await read(name));
  const post = (path: string, body: object, token?: string) =>
    request(`${url}/api/v3/${path}`, JSON.stringify(body), {
      origin: url,
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    });
  const password = 'correct horse battery';
  const made = new Map<string, Promise<{ username: string; token: string }>>();
  /** The same person throughout one event. */
  const person = () => {
    const making = made.get('person') ?? makePerson();
    made.set('person', making);
    return making;
  };
  const makePerson = async () => {
    const sent = { username: await text('unique'), name: 'Sample', role: 'analyst', mid: site.mid };
    const { username, setup_url } = v.parse(Linked, await post('users/create', sent, await text('admin_token')));
    return { username, token: setup_url.split('token=')[1] ?? '' };
  };
  const setUp = async () => {
    const { username, token } = await person();
    await post('users/password', { token, password });
    const { access_token } = v.parse(Session, await post('session/create', { username, password }));
    return v.parse(SetUp, await post('session/factor/setup', {}, access_token));
  };
  return {
    admin_token: async () =>
      v.parse(Token, await request(`${url}/api/v2/index.php/gettoken`, JSON.stringify(admin))).access_token,
    session_cookie: () => cookieOf(url, merchant),
    new_username: async () => (await person()).username,
    password_link_token: async () => (await person()).token,
    set_up: async () => JSON.stringify(await setUp()),
    challenge: async () => v.parse(SetUp, JSON.parse(await text('set_up'))).challenge,
    factor_code: async () => {
      const { secret } = v.parse(SetUp, JSON.parse(await text('set_up')));
      return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.parse(await text('now')) });
    },
  };
};

const cookieOf = async (url: string, user: object): Promise<string> => {
  const headers = { 'content-type': 'application/json', origin: url };
  const response = await fetch(`${url}/api/v3/session/create`, { method: 'POST', headers, body: JSON.stringify(user) });
  return /=([^;]+)/.exec(response.headers.get('set-cookie') ?? '')?.[1] ?? '';
};

const signature = (secret: string, body: string, now: string): string => {
  const seconds = Math.floor(Date.parse(now) / 1000);
  return `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`;
};

const secretOf = (providers: Readonly<Record<string, string>>, name: string): string => {
  const secret = Object.hasOwn(providers, name) ? providers[name] : undefined;
  if (secret === undefined)
    throw new UserError(`The sample event asks for a signature of ${name}, who is no provider.`);
  return secret;
};

/** An account that nobody has: enough to check what is signed with its secret. */
const stripeSecret = 'whsec_secretOfASampleEndpoint';
const stripeAccount = { secret_key: 'sk_test_keyOfASampleAccount', webhook_secret: stripeSecret } as const;

const halfDay = 43_200_000;
const lastSlot = (now: string): string =>
  new Date(Math.floor(Date.parse(now) / halfDay) * halfDay).toISOString().replace('.000Z', 'Z');

const sampleTotal = '10.00';
/** The sandbox charges it back at once. */
const disputedCard = '4000000000000259';

type SampleOrder = { action: string; total: string; now: string; postbackUrl: string };

/** An order of one item, as a shop's form sends it; the card is valid for as long as the stack's clock may have come. */
const sampleOrder = ({ action, total, now, postbackUrl }: SampleOrder): Record<string, string> => ({
  tid: randomUUID(),
  tx_action: action,
  currency: 'USD',
  'item_quantity[]': '1',
  'item_name[]': 'A thing',
  'item_no[]': 'T-1',
  'item_description[]': 'A thing to look at',
  'item_amount_unit[]': total,
  card_type: 'VISA',
  card_no: '4242424242424242',
  card_ccv: '123',
  card_exp_month: '12',
  card_exp_year: String(Number(now.slice(0, 4)) + 2),
  card_name: 'Ada Example',
  firstname: 'Ada',
  lastname: 'Example',
  email: 'ada@example.com',
  country: 'US',
  postback_url: postbackUrl,
});

const sampleRule = {
  name: 'A rule to look at',
  conditions: { all: [{ fact: 'amount', operator: 'lessThan', value: 25 }] },
  action: { type: 'notify' },
} as const;

/** The name of an alert that provider_a says it has never sent: see networks/network.ts. */
const unknownCase = (): string => `UNKNOWN${randomUUID().replaceAll('-', '').slice(0, 18).toUpperCase()}`;

const sampleAlert = (merchantDescriptor: string, now: string, change: object): string =>
  JSON.stringify({
    alertId: randomUUID().replaceAll('-', '').slice(0, 25).toUpperCase(),
    type: 'CUSTOMER_DISPUTE',
    alertTimestamp: now,
    age: '1',
    issuer: 'First Bank',
    cardBin: '411111',
    cardLast4: '1111',
    transactionTimestamp: now,
    merchantDescriptor,
    mcc: '5732',
    amount: { value: '39.99', currencyCode: 'USD' },
    authCode: String(Math.floor(performance.now() * 1000) % 1_000_000).padStart(6, '0'),
    transactionId: '83773',
    reasonCode: '4837',
    ...change,
  });

const request = async (url: string, body?: string, headers: Record<string, string> = {}): Promise<unknown> => {
  const response = await fetch(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    ...(body !== undefined && { body }),
  });
  const text = await response.text();
  if (response.ok) return JSON.parse(text);
  throw new UserError(`The stack answered ${response.status} to ${new URL(url).pathname}: ${text}`);
};

const Created = v.object({ client_token: v.string() });
const Posted = v.object({ value: v.string() });

/** No method, and yes at once; a challenge by hand, without a method. */
const sampleCards = { frictionless: '4000100511122103', challenged: '4000100511182172' } as const;
const samplePage = 'https://shop.example.com';
const sampleBrowser = {
  language: 'en',
  colorDepth: 24,
  screenHeight: 1080,
  screenWidth: 1920,
  timezone: 0,
  userAgent: 'x',
};

/** Authentications of the demo 3DS site, as far as a sample wants them. */
const authenticationValues = (
  url: string,
  { three_ds_site: { sid, rcode } }: DemoCredentials,
  read: SampleValues['read'],
): Values => {
  const text = async (name: string) => String(await read(name));
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const hash = async () =>
    orderHash({ sid, timestamp: await text('now_seconds'), total: sampleTotal, currency: 'USD' }, rcode);
  const create = async (): Promise<string> => {
    const fields = {
      ...{ hash: await hash(), timestamp: await text('now_seconds'), amount: sampleTotal, currency: 'USD' },
      ...{ page_origin: samplePage, email: 'ada@example.com' },
    };
    const body = new URLSearchParams(fields).toString();
    return v.parse(Created, await request(`${url}/api/v1/index.php/${sid}/create3ds`, body, form)).client_token;
  };
  const idOf = (token: string): string => token.split('.')[0] ?? '';
  const asPage = async (token: string, what: string, fields: Record<string, string>, origin: string = samplePage) => {
    const body = new URLSearchParams({ client_token: token, ...fields }).toString();
    return request(`${url}/api/v3/3ds/${idOf(token)}/${what}`, body, { ...form, origin });
  };
  const cardOf = async (number: string) => {
    const year = String(Number((await text('now')).slice(0, 4)) + 2);
    return { card_no: number, card_exp_month: '12', card_exp_year: year };
  };
  const started = async (number: string): Promise<string> => {
    const token = await create();
    await asPage(token, 'start', await cardOf(number));
    return token;
  };
  const challenged = async (): Promise<string> => {
    const token = await started(sampleCards.challenged);
    const browser = JSON.stringify(sampleBrowser);
    const card = await cardOf(sampleCards.challenged);
    await asPage(token, 'authenticate', { ...card, browser, window_size: '03', method: 'U' });
    return token;
  };
  const creq = async (): Promise<string> => {
    const frame = await asPage(await text('challenged_token'), 'frame', { kind: 'challenge' }, new URL(url).origin);
    return v.parse(Posted, frame).value;
  };
  return {
    three_ds_hash: hash,
    client_token: create,
    authentication_id: async () => idOf(await text('client_token')),
    authentication_hash: async () => detailsHash(sid, Number(await text('authentication_id')), rcode),
    started_token: () => started(sampleCards.frictionless),
    started_id: async () => idOf(await text('started_token')),
    challenged_token: challenged,
    challenged_id: async () => idOf(await text('challenged_token')),
    creq,
    cres: async () => {
      const { threeDSServerTransID, acsTransID } = fromBase64Url(await text('creq')) ?? {};
      return toBase64Url({ threeDSServerTransID, acsTransID, messageType: 'CRes', transStatus: 'N' });
    },
  };
};
