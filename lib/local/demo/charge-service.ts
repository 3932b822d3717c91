import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { signatureHeaders } from '#core/platform/post/signature.ts';

/** A merchant's own service, as docs/guides/connect-your-service.md describes it, with charges that a story gives it. */

export type DemoCharge = {
  reference: string;
  order_reference: string;
  date: string;
  amount: string;
  currency: string;
  card: { first6: string; last4: string; brand: string };
  auth_code: string;
  arn: string | null;
  caid: string | null;
  descriptor: string;
  captured: string;
  refunded: string;
  charged_back: boolean;
  charged_back_at: string | null;
};

export type DemoDispute = {
  reference: string;
  charge: string;
  status: 'won' | 'lost';
  amount: string;
  currency: string;
  opened_at: string;
  reason_code: string;
  network: string;
};

export type ChargeService = AsyncDisposable & {
  url: string;
  /** The refunds that were made, in order. */
  refunds: { reference: string; amount: string; refund_reference: string }[];
  /** The number of calls that listed charges. */
  lists: () => number;
};

type Fields = Record<string, unknown>;

const pageSize = 500;

const isGenuine = (headers: IncomingHttpHeaders, body: string, secret: string): boolean => {
  const [id, seconds] = [String(headers['webhook-id']), Number(headers['webhook-timestamp'])];
  const expected = signatureHeaders({ id, timestampSeconds: seconds, body, secrets: [secret] });
  return headers['webhook-signature'] === expected['webhook-signature'];
};

const fits = (charge: DemoCharge, sent: Fields): boolean => {
  const { card, amount, reference } = sent as { card?: DemoCharge['card']; amount?: string | null; reference?: string };
  if (reference !== undefined) return charge.reference === reference;
  return charge.card.last4 === card?.last4 && (amount === null || charge.amount === amount);
};

const chargePage = (charges: readonly DemoCharge[], { from, to, cursor }: Fields): object => {
  const within = charges.filter(({ date }) => date >= String(from) && date < String(to));
  const start = Number(cursor ?? 0);
  const next = start + pageSize;
  return { charges: within.slice(start, next), next_cursor: next < within.length ? String(next) : null };
};

const isAskedBy =
  ({ from, to, reference }: Fields) =>
  ({ opened_at: at, reference: own }: DemoDispute): boolean =>
    reference === undefined ? at >= String(from) && (to === null || at < String(to)) : own === reference;

/** Starts the service on a free port. `secret`: with which calls to it are signed, once that is known. Without `disputes` it lists none. */
export const startChargeService = async (
  charges: DemoCharge[],
  secret: () => string,
  disputes?: readonly DemoDispute[],
): Promise<ChargeService> => {
  const refunds: ChargeService['refunds'] = [];
  const answers = new Map<string, object>();
  let lists = 0;
  const refund = ({ reference, amount, idempotency_key: key }: Fields): object | undefined => {
    const earlier = answers.get(String(key));
    const charge = charges.find((one) => one.reference === reference);
    if (earlier || !charge) return earlier;
    charge.refunded = String(amount);
    const refund_reference = `re_${refunds.length + 1}`;
    refunds.push({ reference: charge.reference, amount: String(amount), refund_reference });
    answers.set(String(key), { status: 'succeeded', refund_reference });
    return answers.get(String(key));
  };
  const list = (sent: Fields): object => {
    lists += 1;
    return chargePage(charges, sent);
  };
  const routes: Readonly<Record<string, (sent: Fields) => object | undefined>> = {
    '/search': (sent) => ({ charges: charges.filter((charge) => fits(charge, sent)) }),
    '/charges': list,
    '/refund': refund,
    '/disputes': (sent) => disputes && { disputes: disputes.filter(isAskedBy(sent)), next_cursor: null },
    '/refund-state': ({ idempotency_key: key }) => answers.get(String(key)),
  };
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const answer = isGenuine(request.headers, body, secret())
      ? (routes[request.url ?? '']?.(JSON.parse(body)) ?? 404)
      : 401;
    const status = typeof answer === 'number' ? answer : 200;
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(typeof answer === 'number' ? {} : answer));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    refunds,
    lists: () => lists,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
};
