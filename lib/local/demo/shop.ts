import { createHash } from 'node:crypto';
import * as v from 'valibot';
import type { Playground } from './client.ts';

export const Result = v.looseObject({
  txid: v.number(),
  status: v.string(),
  tx_action: v.string(),
  amount: v.number(),
  currency: v.string(),
});
export type Result = v.InferOutput<typeof Result>;
const Verified = v.looseObject({ ...Result.entries, vrfy: v.string() });
type Verified = v.InferOutput<typeof Verified>;
const Refused = v.object({ msg: v.string(), details: v.string() });
const Funds = v.object({
  balances: v.array(v.object({ currency: v.string(), available: v.number(), reserved: v.number() })),
});

export const md5 = (text: string): string => createHash('md5').update(text).digest('hex');

type Site = Playground['credentials']['payment_site'];

/** Posts to the stack; answers whatever it says, refusals too. */
const shopSender =
  (url: string) =>
  async (path: string, body: unknown, headers: Record<string, string> = {}) => {
    const response = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    return { status: response.status, answer: (await response.json()) as unknown };
  };
type Send = ReturnType<typeof shopSender>;

/** Posts as the merchant's manager. */
const withBearer = (send: Send, merchant: unknown): Send => {
  const signIn = async (): Promise<string> => {
    const { answer } = await send('/api/v2/index.php/gettoken', merchant);
    return v.parse(v.object({ access_token: v.string() }), answer).access_token;
  };
  let token: Promise<string> | undefined;
  return async (path, body) => {
    // Sign-in is slow by design, and a token is valid for an hour, so it is reused.
    token ??= signIn();
    return send(path, body, { authorization: `Bearer ${await token}` });
  };
};

const paymentCalls = (url: string, send: Send, { sid, rcode }: Site) => ({
  /** `timestamp`: Unix seconds. */
  pay: async (amount: string, timestamp: number, change: object = {}): Promise<Verified> => {
    const { answer } = await send(`/api/v1/index.php/${sid}/singletx`, {
      hash: md5(`${sid}${timestamp}${amount}USD${rcode}`),
      timestamp,
      ...{ card_type: 'VISA', card_no: '4242424242424242', card_ccv: '123' },
      ...{ card_exp_month: '12', card_exp_year: '2030' },
      ...{ firstname: 'Ada', lastname: 'Example', email: 'ada@example.com' },
      ...{ item_name: ['Concert tickets'], item_amount_unit: [amount], currency: 'USD' },
      tx_action: 'PAYMENT',
      postback_url: `${url}/_local/sink/shop`,
      ...change,
    });
    return v.parse(Verified, answer);
  },
  capture: async (txid: number, amount: string): Promise<Verified> => {
    const hash = md5(`${sid}${amount}${rcode}`);
    return v.parse(
      Verified,
      (await send(`/api/v1/index.php/${sid}/flagcapture`, { parent_txid: txid, amount, hash })).answer,
    );
  },
  status: async (txid: number): Promise<Verified> => {
    const response = await fetch(`${url}/api/v1/index.php/${txid}/getstatus?hash=${md5(`${sid}${rcode}`)}`);
    return v.parse(Verified, await response.json());
  },
  balance: async () => v.parse(Funds, (await send(`/api/v3/${sid}/balance`, { rcode })).answer).balances,
});

const refundCalls = (bearer: Send) => {
  const processRefund = (txid: number, fields: object) =>
    bearer(`/api/v3/service_process/transaction/${txid}/processrefund`, { currency: 'USD', ...fields });
  return {
    refund: async (txid: number, amount: string, change: object = {}): Promise<Result> =>
      v.parse(Result, (await processRefund(txid, { amount, ...change })).answer),
    /** Requests a refund that must be refused; returns the refusal. */
    refusedRefund: async (txid: number, amount: string, change: object = {}) => {
      const { status, answer } = await processRefund(txid, { amount, ...change });
      return { status, ...v.parse(Refused, answer) };
    },
  };
};

/** Reads the postbacks to the shop's endpoint. */
const readPostbacks = async (url: string): Promise<Verified[]> => {
  const got = await (await fetch(`${url}/_local/sinks/shop`)).json();
  return v.parse(v.array(v.object({ body: v.string() })), got).map(({ body }) => v.parse(Verified, JSON.parse(body)));
};

/** Checks whether a result is genuine: only a holder of the rcode can have made its `vrfy`. */
const isGenuine = ({ sid, rcode }: Site, { txid, status, amount, currency, tx_action, vrfy }: Verified): boolean =>
  vrfy ===
  createHash('sha256')
    .update([sid, rcode, txid, status, amount.toFixed(2), currency, tx_action].join(';'))
    .digest('hex');

/** Creates a shop that is paid in USD, over HTTP like any shop; hashes made and results verified as the interface says. */
export const createShop = ({ url, credentials: { payment_site: site, merchant } }: Playground) => {
  const send = shopSender(url);
  const bearer = withBearer(send, merchant);
  return {
    ...paymentCalls(url, send, site),
    ...refundCalls(bearer),
    /** Calls an operation as the merchant's manager; throws unless it does what it is asked for. */
    ask: async (path: string, body: unknown): Promise<unknown> => {
      const { status, answer } = await bearer(`/api/v3${path}`, body);
      if (status !== 200) throw new Error(`${path} answered ${status}: ${JSON.stringify(answer)}`);
      return answer;
    },
    addRule: (rule: object) => bearer('/api/v3/service_alerts/rules/create', rule),
    postbacks: () => readPostbacks(url),
    isGenuine: (result: Verified): boolean => isGenuine(site, result),
  };
};
export type Shop = ReturnType<typeof createShop>;
