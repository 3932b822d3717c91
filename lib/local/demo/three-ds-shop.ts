import * as v from 'valibot';
import type { Playground } from './client.ts';
import { md5, Result } from './shop.ts';

const Begun = v.looseObject({ authentication_id: v.number(), client_token: v.string(), expires_at: v.string() });
export type Begun = v.InferOutput<typeof Begun>;
/** The reply to the payer's page. */
const PageReply = v.looseObject({
  step: v.string(),
  outcome: v.optional(v.string()),
  three_d_secure: v.optional(v.string()),
});
const Frame = v.object({ url: v.string(), field: v.string(), value: v.string(), page_origin: v.string() });
const Details = v.looseObject({
  outcome: v.nullable(v.string()),
  eci: v.nullable(v.string()),
  liability_shift: v.boolean(),
  used_by_txid: v.nullable(v.number()),
});
const Paid = v.looseObject({ ...Result.entries, error_code: v.optional(v.string()) });
const Refused = v.looseObject({ error_code: v.string(), error_msg: v.string() });

const origin = 'https://shop.example.com';
const amount = '10.00';

/** The data of a payer's browser. */
const browser = JSON.stringify({
  ...{ javaEnabled: false, javascriptEnabled: true, language: 'en', colorDepth: 24 },
  ...{ screenHeight: 1080, screenWidth: 1920, timezone: -120, userAgent: 'Mozilla/5.0 (demo)' },
});

const cardFields = (number: string) => ({ card_no: number, card_exp_month: '12', card_exp_year: '2030' });

type Calls = {
  /** Posts a form to the service, or to wherever an address leads. */
  send(address: string, fields: Record<string, string>, headers?: Record<string, string>): Promise<string>;
  /** Calls an operation of the payer's page; `from`: the page's origin. */
  asPage(begun: Begun, what: string, fields?: Record<string, string>, from?: string): Promise<unknown>;
};

const callsTo = (url: string): Calls => {
  const send: Calls['send'] = async (address, fields, headers = {}) => {
    const body = new URLSearchParams(fields);
    const target = address.startsWith('http') ? address : `${url}${address}`;
    return (await fetch(target, { method: 'POST', body, headers })).text();
  };
  const asPage: Calls['asPage'] = async ({ authentication_id: id, client_token }, what, fields = {}, from = origin) =>
    JSON.parse(await send(`/api/v3/3ds/${id}/${what}`, { client_token, ...fields }, { origin: from }));
  return { send, asPage };
};

const signOrder = ({ sid, rcode }: { sid: number; rcode: string }, timestamp: number) => ({
  ...{ timestamp: String(timestamp), currency: 'USD' },
  hash: md5(`${sid}${timestamp}${amount}USD${rcode}`),
});

/** A merchant's server, a payer's page and their issuer's page, as they call over HTTP. Everything is of 10.00 USD. */
export const createThreeDsShop = ({ url, credentials: { payment_site, three_ds_site } }: Playground) => {
  const { send, asPage } = callsTo(url);
  return {
    create: async (timestamp: number): Promise<Begun> => {
      const { sid } = three_ds_site;
      const fields = { ...signOrder(three_ds_site, timestamp), amount, page_origin: origin, email: 'ada@example.com' };
      return v.parse(Begun, JSON.parse(await send(`/api/v1/index.php/${sid}/create3ds`, fields)));
    },
    start: async (begun: Begun, number: string) =>
      v.parse(PageReply, await asPage(begun, 'start', { ...cardFields(number), card_name: 'Ada Example' })),
    authenticate: async (begun: Begun, number: string) => {
      const fields = { ...cardFields(number), browser, window_size: '03', method: 'U' };
      return v.parse(PageReply, await asPage(begun, 'authenticate', fields));
    },
    status: async (begun: Begun) => v.parse(PageReply, await asPage(begun, 'status')),
    /** The payer types a code at the issuer's page, which our frame has opened, and is sent back. */
    answerIssuer: async (begun: Begun, code: string): Promise<void> => {
      const frame = v.parse(Frame, await asPage(begun, 'frame', { kind: 'challenge' }, new URL(url).origin));
      await send(frame.url, { [frame.field]: frame.value });
      const text = await send('/sandbox/acs/answer', { creq: frame.value, code, action: 'confirm' });
      const [, cres] = /name="cres" value="([^"]+)"/.exec(text) ?? [];
      if (cres !== undefined) await send('/3ds/challenge', { cres });
    },
    details: async ({ authentication_id }: Begun) => {
      const { sid, rcode } = three_ds_site;
      const hash = md5(`${sid}${authentication_id}${rcode}`);
      const fields = { authentication_id: String(authentication_id), hash };
      return v.parse(Details, JSON.parse(await send(`/api/v1/index.php/${sid}/get3ds`, fields)));
    },
    /** A payment with what the page handed over; a result, or what it was refused with. */
    pay: async (timestamp: number, number: string, threeDSecure: string) => {
      const text = await send(`/api/v1/index.php/${payment_site.sid}/singletx`, {
        ...signOrder(payment_site, timestamp),
        ...{ ...cardFields(number), card_type: 'VISA', card_ccv: '123', card_name: 'Ada Example', threeDSecure },
        ...{ firstname: 'Ada', lastname: 'Example', email: 'ada@example.com' },
        ...{ 'item_name[]': 'Tea', 'item_amount_unit[]': amount, tx_action: 'PAYMENT' },
        postback_url: `${url}/_local/sink/shop`,
      });
      return v.parse(v.union([Paid, Refused]), JSON.parse(text));
    },
  };
};
export type ThreeDsShop = ReturnType<typeof createThreeDsShop>;
