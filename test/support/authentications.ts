import { createHash } from 'node:crypto';
import { askFields, cardFields, pageOrigin } from '#test/payments/threeds/shop.ts';
import type { TestStack } from './stack.ts';

/** Authentications as a merchant's server and a payer's page make them over HTTP, by nothing but the interface. */

type Fields = Record<string, unknown>;
export type ThreeDsSite = { sid: number; rcode: string };
export type BegunOverHttp = { id: number; token: string };

const md5 = (text: string): string => createHash('md5').update(text).digest('hex');

/** The body of create3ds, signed: 10.50 EUR. */
export const create3dsBody = (
  service: TestStack,
  { sid, rcode }: ThreeDsSite,
  change: Fields & { amount?: string; currency?: string } = {},
): Fields => {
  const timestamp = String(Math.floor(service.clock.now().getTime() / 1000));
  const { amount = '10.50', currency = 'EUR' } = change;
  const hash = md5(`${sid}${timestamp}${amount}${currency}${rcode}`);
  return { hash, timestamp, amount, currency, page_origin: pageOrigin, email: 'ada@example.com', ...change };
};

export const detailsHash = ({ sid, rcode }: ThreeDsSite, id: number): string => md5(`${sid}${id}${rcode}`);

export const beginOverHttp = async (
  service: TestStack,
  site: ThreeDsSite,
  change: Parameters<typeof create3dsBody>[2] = {},
): Promise<BegunOverHttp> => {
  const { status, body, text } = await service.call(`/api/v1/index.php/${site.sid}/create3ds`, {
    body: create3dsBody(service, site, change),
  });
  if (status !== 200) throw new Error(text);
  return { id: Number(body['authentication_id']), token: String(body['client_token']) };
};

/** A call of the payer's page. */
export const callAsPage = async (
  service: TestStack,
  { id, token }: BegunOverHttp,
  what: string,
  fields: Record<string, string> = {},
  origin = pageOrigin,
): Promise<Record<string, unknown>> => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded', origin };
  const body = new URLSearchParams({ client_token: token, ...fields }).toString();
  const reply = await service.call(`/api/v3/3ds/${id}/${what}`, { body, headers });
  if (reply.status !== 200) throw new Error(reply.text);
  return reply.body;
};

/** From beginning to end, for a card that its issuer does not challenge. Answers its number. */
export const authenticateOverHttp = async (
  service: TestStack,
  site: ThreeDsSite,
  card: string,
  change: Parameters<typeof create3dsBody>[2] = {},
): Promise<number> => {
  const begun = await beginOverHttp(service, site, change);
  await callAsPage(service, begun, 'start', cardFields(card));
  const { step } = await callAsPage(service, begun, 'authenticate', askFields(card));
  if (step !== 'done') throw new Error(`The authentication is at ${step}`);
  return begun.id;
};
