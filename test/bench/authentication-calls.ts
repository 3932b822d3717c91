import { keys } from '#core/platform/table/keys.ts';
import { getItem } from '#core/platform/table/table.ts';
import { challengeReturnOperation } from '#payments/threeds/api/challenge-return/operation.ts';
import { getAuthentication } from '#payments/threeds/authentication/authentication-store.ts';
import { openChallenge } from '#payments/threeds/sandbox/sandbox-acs-store.ts';
import { toBase64Url } from '#payments/threeds/server/base64url.ts';
import { visaNumbers } from '#test/payments/threeds/contract.ts';
import {
  asPage,
  authenticate,
  type Begun,
  create,
  newThreeDsSite,
  readDetails,
  readStatus,
  start,
} from '#test/payments/threeds/shop.ts';
import type { CallCounter } from '#test/support/call-counter.ts';
import { ask } from '#test/support/operations.ts';
import { during, type WorkCost } from './calls.ts';

/** Each call of an authentication, of a card that is not challenged and of one that is. */
export const costsOfAuthentications = async (counter: CallCounter): Promise<Record<string, WorkCost>> => {
  Object.assign(process.env, { ALLOW_SANDBOX: 'true', ALLOW_LOOPBACK_HTTP: 'true' });
  const site = await newThreeDsSite();
  const cost = (work: () => Promise<unknown>) => during(counter, work);
  // The first call also asks for the secret, which is kept.
  await create(site);
  let begun: Begun | undefined;
  const created = await cost(async () => {
    begun = await create(site);
  });
  if (!begun) throw new Error('Nothing was begun');
  const plain = begun;
  const [asked, back] = [await create(site), visaNumbers[2070]];
  return {
    create3ds: created,
    start: await cost(() => start(plain, visaNumbers[2103])),
    authenticate: await cost(() => authenticate(plain, visaNumbers[2103])),
    status: await cost(() => readStatus(plain)),
    get3ds: await cost(() => readDetails(plain)),
    challenged: await cost(async () => {
      await start(asked, back);
      await authenticate(asked, back);
    }),
    frame: await cost(() => asPage(asked, 'frame', { kind: 'challenge' })),
    returned: await returnedTo(asked, cost),
  };
};

/** Opens the issuer's page, and returns from it. */
const returnedTo = async (
  { id }: Begun,
  cost: (work: () => Promise<unknown>) => Promise<WorkCost>,
): Promise<WorkCost> => {
  const { server, challenge } = (await getAuthentication(id)) ?? {};
  const threeDSServerTransID = server?.transId ?? '';
  const message = toBase64Url({ threeDSServerTransID, acsTransID: challenge?.ares.acsTransId });
  await openChallenge(message);
  if (!(await getItem(keys.sandboxChallenge(threeDSServerTransID)))) throw new Error('Nobody is challenged');
  return cost(() => ask(challengeReturnOperation, { as: 'nobody', body: new URLSearchParams({ cres: message }) }));
};
