import { milliseconds } from '#core/kernel/clock.ts';
import type { ThreeDsServer, Unavailable } from '../server/three-ds-server.ts';
import { type AddressRules, readAres, readRreq, readVersions } from './threedsecureio-messages.ts';

/** The 3DS server of 3dsecure.io. https://docs.3dsecure.io */
export type ThreeDSecureIoCredentials = { url: string; apiKey: string };

/** "The request will time out after 10 seconds": there is no later answer. */
const longestMilliseconds = 10 * milliseconds.second;

/** `limit`: milliseconds until a request is given up. */
export const threeDSecureIoServer = (
  credentials: ThreeDSecureIoCredentials,
  rules: AddressRules,
  limit: number = longestMilliseconds,
): ThreeDsServer => {
  const post = (path: string, body: () => object) => exchange(credentials, path, body, limit);
  return {
    name: '3dsecureio',
    versions: async (card, highest) => {
      const reply = await post('/preauth', () => card.reveal(({ number }) => ({ acctNumber: number })));
      return 'kind' in reply ? reply : readVersions(reply.body, highest, rules);
    },
    authenticate: async ({ card, areq }) => {
      const reply = await post('/auth', () =>
        card.reveal(({ number, expMonth, expYear }) => ({
          ...areq,
          acctNumber: number,
          cardExpiryDate: `${expYear.slice(2)}${expMonth}`,
        })),
      );
      return 'kind' in reply ? reply : readAres(reply.body, rules, areq['threeDSServerTransID']);
    },
    result: async (serverTransId) => {
      const reply = await post('/postauth', () => ({ threeDSServerTransID: serverTransId }));
      return 'kind' in reply ? reply : readRreq(reply.body, serverTransId);
    },
  };
};

/** One POST. `body` is made as it is written, and nothing of it appears in the description of a failure. */
const exchange = async (
  { url, apiKey }: ThreeDSecureIoCredentials,
  path: string,
  body: () => object,
  limit: number,
): Promise<{ body: unknown } | Unavailable> => {
  try {
    const response = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json; charset=utf-8', apikey: apiKey },
      body: JSON.stringify(body()),
      // A card number must not follow where another site points.
      redirect: 'error',
      signal: AbortSignal.timeout(limit),
    });
    const { status } = response;
    if (status === 401 || status === 403) {
      return { kind: 'unavailable', why: 'refused', detail: `3dsecureio: ${status}, the API key is wrong` };
    }
    const answered = parseAnswer(await response.text());
    return answered ?? { kind: 'unavailable', why: 'broken', detail: `3dsecureio: ${status} without JSON` };
  } catch (error) {
    return error instanceof Error && error.name === 'TimeoutError'
      ? { kind: 'unavailable', why: 'timeout', detail: '3dsecureio: no answer in time' }
      : { kind: 'unavailable', why: 'broken', detail: '3dsecureio: no connection' };
  }
};

/** JSON is answered whatever the status is, errors included. */
const parseAnswer = (text: string): { body: unknown } | undefined => {
  try {
    return { body: JSON.parse(text) };
  } catch {
    return undefined;
  }
};
