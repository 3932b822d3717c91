import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import { merchantToken } from './personas.ts';
import type { CallReply, TestStack } from './stack.ts';

/**
 * A shop that takes payments, as its developer writes it from the interface alone: hashes made and results verified without the
 * project's code, over real HTTP.
 */

type Fields = Record<string, unknown>;
type Format = 'json' | 'form' | 'multipart';
type Site = { sid: number; rcode: string };

/** A result object, or a refusal in its shape. */
export type Result = {
  txid: number;
  parent_txid: number;
  status: 'OK' | 'EXC' | 'PEND';
  tx_action: string;
  amount: number;
  currency: string;
  vrfy: string;
  error_code?: string;
  error_msg?: string;
  next_action?: { type: string; url?: string; channel?: string };
};

const md5 = (text: string): string => createHash('md5').update(text).digest('hex');
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
/** Of the currencies that the shops of tests sell in. */
const decimals: Readonly<Record<string, number>> = { USD: 2, EUR: 2, GBP: 2, JPY: 0, KWD: 3 };

const formPairs = (fields: Fields): [string, string][] =>
  Object.entries(fields).flatMap(([name, value]) =>
    [value].flat().map((one): [string, string] => [Array.isArray(value) ? `${name}[]` : name, String(one)]),
  );

const encode = async (fields: Fields, format: Format): Promise<{ body: string; headers?: Record<string, string> }> => {
  if (format === 'json') return { body: JSON.stringify(fields) };
  const form = format === 'form' ? new URLSearchParams() : new FormData();
  for (const [name, value] of formPairs(fields)) form.append(name, value);
  const sent = new Response(form);
  return { body: await sent.text(), headers: { 'content-type': sent.headers.get('content-type') ?? '' } };
};

export const order: Fields = {
  card_type: 'VISA',
  card_no: '4242424242424242',
  card_ccv: '123',
  card_exp_month: '12',
  card_exp_year: '2030',
  card_name: 'Ada Example',
  firstname: 'Ada',
  lastname: 'Example',
  email: 'ada@example.com',
  item_name: ['Tea'],
  currency: 'USD',
  tx_action: 'PAYMENT',
};

/** No two orders have the same timestamp: a hash signs one order. */
let signings = 0;

/** The shop of a site. `sink`: where its postbacks go. */
export const openShop = (
  service: TestStack,
  { sid, rcode }: Site = service.credentials.payment_site,
  sink = `shop-${sid}`,
) => {
  const siteHash = md5(`${sid}${rcode}`);
  const path = `/api/v1/index.php/${sid}`;
  const captureHash = (amount: string): string => md5(`${sid}${amount}${rcode}`);

  const verify = (result: Result): Result => {
    const { txid, status, amount, currency, tx_action } = result;
    const written = amount.toFixed(decimals[currency]);
    expect(result.vrfy).toBe(sha256([sid, rcode, txid, status, written, currency, tx_action].join(';')));
    return result;
  };
  const resultOf = ({ status, body, text }: CallReply): Result => {
    expect([status, text]).toEqual([200, expect.stringContaining('"vrfy"')]);
    return verify(body as Result);
  };
  const send = async (address: string, fields: Fields, format: Format = 'json'): Promise<CallReply> =>
    service.call(address, await encode(fields, format));
  const sign = (total: string, currency: string): Fields => {
    signings += 1;
    const timestamp = String(Math.floor(service.clock.now().getTime() / 1000) + (signings % 800));
    return { timestamp, hash: md5(`${sid}${timestamp}${total}${currency}${rcode}`) };
  };
  const orderOf = (amount: string, change: Fields = {}): Fields => ({
    ...order,
    item_amount_unit: [amount],
    postback_url: service.sinks.url(sink),
    ...sign(amount, String(change['currency'] ?? 'USD')),
    ...change,
  });
  /** Returns the answer of a call, whatever it is. */
  const tryRefund = async (txid: number, fields: Fields): Promise<CallReply> =>
    service.call(`/api/v3/service_process/transaction/${txid}/processrefund`, {
      token: await merchantToken(service),
      ...(await encode({ currency: 'USD', ...fields }, 'form')),
    });
  return {
    ...{ sid, rcode, path, siteHash, captureHash, signed: sign, orderOf, send, resultOf, tryRefund },
    pay: async (amount: string, change: Fields = {}, format: Format = 'json'): Promise<Result> =>
      resultOf(await send(`${path}/singletx`, orderOf(amount, change), format)),
    capture: async (txid: number, amount: string): Promise<Result> => {
      const hash = captureHash(amount);
      return resultOf(await send(`${path}/flagcapture`, { parent_txid: txid, amount, hash }, 'form'));
    },
    status: async (txid: number): Promise<Result> =>
      resultOf(await service.call(`/api/v1/index.php/${txid}/getstatus?hash=${siteHash}`, { method: 'GET' })),
    requery: async (txid: number): Promise<Result> =>
      resultOf(await send(`/api/v1/index.php/${txid}/requery`, { sid, rcode }, 'form')),
    authenticate: async (txid: number, authvalue: string, format: Format = 'multipart'): Promise<Result> => {
      const fields = { authtype: 'SMS', authvalue, hash: siteHash };
      return resultOf(await send(`/api/v1/index.php/${txid}/sendauth`, fields, format));
    },
    resend: async (txid: number): Promise<Result> =>
      resultOf(await service.call(`/api/v1/index.php/${txid}/resendauth?hash=${siteHash}`, { method: 'GET' })),
    /** A refund or a void, which must be a result; those have no `vrfy`. */
    refund: async (txid: number, amount: string, change: Fields = {}): Promise<Result> => {
      const { status, body, text } = await tryRefund(txid, { amount, ...change });
      expect([status, text]).toEqual([200, expect.any(String)]);
      return body as Result;
    },
    /** Returns the postbacks about a transaction, verified. */
    postbacks: async (txid: number): Promise<Result[]> => {
      await service.untilIdle();
      const posted = service.sinks.got(sink).map(({ body }) => verify(JSON.parse(body) as Result));
      return posted.filter((one) => one.txid === txid);
    },
  };
};
export type Shop = ReturnType<typeof openShop>;
