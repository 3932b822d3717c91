import * as v from 'valibot';
import { orderHash } from '#payments/payments/order/hashes.ts';
import { detailsHash } from '#payments/threeds/payer/replies.ts';
import { fromBase64Url, toBase64Url } from '#payments/threeds/server/base64url.ts';
import { sampleTotal } from './payment-values.ts';
import type { SampleStack, Values } from './sample-stack.ts';

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

/**
 * Authentications of the demo 3DS site, as far as a sample wants them.
 * - `{{three_ds_hash}}`: the hash of one of 10.00 USD
 * - `{{authentication_id}}`, `{{client_token}}`, `{{authentication_hash}}`: a new one, for the page https://shop.example.com
 * - `{{started_id}}`, `{{started_token}}`: one that was started with the card of its sample
 * - `{{challenged_id}}`, `{{challenged_token}}`: one whose payer is at the issuer, `{{creq}}`, `{{cres}}`: its messages
 */
export const authenticationValues = ({ url, credentials, read, post }: SampleStack): Values => {
  const { sid, rcode } = credentials.three_ds_site;
  const hash = async () =>
    orderHash({ sid, timestamp: await read('now_seconds'), total: sampleTotal, currency: 'USD' }, rcode);
  const create = async (): Promise<string> => {
    const fields = {
      ...{ hash: await hash(), timestamp: await read('now_seconds'), amount: sampleTotal, currency: 'USD' },
      ...{ page_origin: samplePage, email: 'ada@example.com' },
    };
    return v.parse(Created, await post(`/api/v1/index.php/${sid}/create3ds`, new URLSearchParams(fields))).client_token;
  };
  const asPage = (token: string, what: string, fields: Record<string, string>, origin: string = samplePage) =>
    post(`/api/v3/3ds/${tokenId(token)}/${what}`, new URLSearchParams({ client_token: token, ...fields }), { origin });
  const cardOf = async (number: string) => {
    const year = String(Number((await read('now')).slice(0, 4)) + 2);
    return { card_no: number, card_exp_month: '12', card_exp_year: year };
  };
  const start = async (number: string): Promise<string> => {
    const token = await create();
    await asPage(token, 'start', await cardOf(number));
    return token;
  };
  const challenge = async (): Promise<string> => {
    const token = await start(sampleCards.challenged);
    const browser = JSON.stringify(sampleBrowser);
    const card = await cardOf(sampleCards.challenged);
    await asPage(token, 'authenticate', { ...card, browser, window_size: '03', method: 'U' });
    return token;
  };
  return {
    three_ds_hash: hash,
    client_token: create,
    authentication_id: async () => tokenId(await read('client_token')),
    authentication_hash: async () => detailsHash(sid, Number(await read('authentication_id')), rcode),
    started_token: () => start(sampleCards.frictionless),
    started_id: async () => tokenId(await read('started_token')),
    challenged_token: challenge,
    challenged_id: async () => tokenId(await read('challenged_token')),
    creq: async () => {
      const frame = asPage(await read('challenged_token'), 'frame', { kind: 'challenge' }, new URL(url).origin);
      return v.parse(Posted, await frame).value;
    },
    cres: async () => {
      const { threeDSServerTransID, acsTransID } = fromBase64Url(await read('creq')) ?? {};
      return toBase64Url({ threeDSServerTransID, acsTransID, messageType: 'CRes', transStatus: 'N' });
    },
  };
};

const tokenId = (token: string): string => token.split('.')[0] ?? '';
