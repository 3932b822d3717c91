import { expect } from 'vitest';
import { setClock } from '#core/kernel/clock.ts';
import { siteHash } from '#payments/payments/order/hashes.ts';
import { orderBody, type Result } from '#test/payments/transactions/shop.ts';
import { merchantToken } from '#test/support/personas.ts';
import type { CallReply, TestStack } from '#test/support/stack.ts';

type Fields = Record<string, unknown>;
type Webhook = { headers: Record<string, string>; rawBody: string };

/** A payment site on the local stack, and whatever its merchant, its payers and its processors do there. */
export type Shop = {
  sid: number;
  pay(amount: string, change?: Fields): Promise<Result>;
  refund(txid: number, amount: string): Promise<CallReply>;
  statusOf(txid: number): Promise<Result>;
  sendAuth(txid: number, answer: { authtype: string; authvalue: string }): Promise<Result>;
  balance(): Promise<CallReply>;
  routeTo(...routes: Fields[]): Promise<void>;
  webhook(processor: string, webhook: Webhook): Promise<CallReply>;
  /** The results that postbacks told, in their order: all, or those of one transaction. */
  told(txid?: unknown): Result[];
};

const done = ({ status, body, text }: CallReply): Result => {
  if (status !== 200) throw new Error(`Answered ${status}: ${text}`);
  return body as Result;
};

/** A new payment site of the demo merchant. */
export const openShop = async (service: TestStack, name: string): Promise<Shop> => {
  // Those who sign orders and play processors live at the time of the stack.
  setClock(() => service.clock.now().getTime());
  const { mid, rid } = service.credentials.payment_site;
  const made = await service.call(`/api/v3/site/mid/${mid}/rid/${rid}/create`, {
    token: await service.tokenOf('admin'),
    body: { name, currency: 'USD' },
  });
  const [sid, rcode] = [Number(made.body['sid']), String(made.body['rcode'])];
  const settings = await service.call(`/api/v3/site/mid/${mid}/rid/${rid}/sid/${sid}/payment`, {
    token: await merchantToken(service),
    body: {},
  });
  expect({ settings: settings.status, made: made.status }).toEqual({ settings: 200, made: 200 });
  const v1 = (id: number, operation: string) => `/api/v1/index.php/${id}/${operation}`;
  const postback_url = service.sinks.url(name);
  return {
    sid,
    pay: async (amount, change = {}) =>
      done(
        await service.call(v1(sid, 'singletx'), {
          body: orderBody({ sid, rcode }, amount, { postback_url, ...change }),
        }),
      ),
    refund: async (txid, amount) =>
      service.call(`/api/v3/service_process/transaction/${txid}/processrefund`, {
        token: await merchantToken(service),
        body: { amount, currency: 'USD' },
      }),
    statusOf: async (txid) =>
      done(await service.call(`${v1(txid, 'getstatus')}?hash=${siteHash(sid, rcode)}`, { method: 'GET' })),
    sendAuth: async (txid, answer) =>
      done(await service.call(v1(txid, 'sendauth'), { body: { ...answer, hash: siteHash(sid, rcode) } })),
    balance: () => service.call(`/api/v3/${sid}/balance`, { body: { rcode } }),
    routeTo: async (...routes) => {
      const token = await merchantToken(service);
      const { status, text } = await service.call(`/api/v3/site/${sid}/processors`, { token, body: { routes } });
      expect({ status, text }).toMatchObject({ status: 200 });
    },
    webhook: (processor, { headers, rawBody }) =>
      service.call(`/api/v3/processors/${processor}/${sid}/webhook`, { headers, body: rawBody }),
    told: (txid) => {
      const results = service.sinks.got(name).map(({ body }) => JSON.parse(body) as Result);
      return results.filter((result) => txid === undefined || result.txid === txid);
    },
  };
};
