import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { mockClient } from 'aws-sdk-client-mock';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { iso, nowMilliseconds, setClock } from '#core/kernel/clock.ts';
import { getAuthentication } from '#payments/threeds/authentication/authentication-store.ts';
import { settleAuthentication } from '#payments/threeds/authentication-settle-flow.ts';
import { challengeReturned } from '#payments/threeds/challenge/challenge-flow.ts';
import { answerSandboxChallenge, openChallenge } from '#payments/threeds/sandbox/sandbox-acs-store.ts';
import { toBase64Url } from '#payments/threeds/server/base64url.ts';
import type { Tenant } from '#test/accounts/merchants/tenant.ts';
import { untilKilled, useMortality } from '#test/payments/transactions/killed-process.ts';
import { useOperations } from '#test/support/operations.ts';
import { visaNumbers } from './contract.ts';
import {
  askFields,
  asPage,
  type Begun,
  cancel,
  cardFields,
  create,
  newThreeDsSite,
  readDetails,
  readStatus,
  run,
  start,
  tryCreate,
  useThreeDsSandbox,
} from './shop.ts';

/** Each step of an authentication, killed at each of its calls of the table: whoever comes next finds a way on. */

useOperations();
useMortality();
useThreeDsSandbox();

let site: Tenant;
beforeAll(async () => {
  process.env['SETTLEMENT_QUEUE_URL'] = 'https://sqs.example.com/settlement';
  mockClient(SQSClient).on(SendMessageBatchCommand).resolves({ Successful: [], Failed: [] });
  site = await newThreeDsSite();
});
afterEach(() => setClock());

const move = (seconds: number): void => {
  const then = nowMilliseconds() + seconds * 1000;
  setClock(() => then);
};
const maxCalls = 8;
const noWait = async () => undefined;
const plain = visaNumbers[2103];
const coded = visaNumbers[2072];

const readProof = async ({ id }: Begun) => {
  const found = await getAuthentication(id);
  if (!found) throw new Error(`No authentication ${id}`);
  return found;
};
/** The message by which issuer and browser know a challenge. */
const readMessage = async (begun: Begun): Promise<string> => {
  const { server, challenge } = await readProof(begun);
  return toBase64Url({ threeDSServerTransID: server?.transId, acsTransID: challenge?.ares.acsTransId });
};
/** Has a payer pass a challenge at the issuer's page; the service does not know yet. */
const passed = async (): Promise<Begun> => {
  const begun = await create(site);
  await run(begun, coded);
  await asPage(begun, 'frame', { kind: 'challenge' });
  const message = await readMessage(begun);
  await openChallenge(message);
  await answerSandboxChallenge(message, { action: 'confirm', code: '123456' });
  return begun;
};

type Course = {
  before: () => Promise<Begun>;
  work: (begun: Begun) => Promise<unknown>;
  /** The next action of the page, or of the sweep. Returns the outcome. */
  goOn: (begun: Begun) => Promise<unknown>;
};

/** The page begins again, as the SDK does where an answer was lost. */
const beginAgain = async (begun: Begun): Promise<unknown> => {
  const { step, outcome } = await readStatus(begun);
  if (step === 'done') return outcome;
  // Longer than an AReq may be under way.
  move(21);
  return (await run(begun, plain)).outcome;
};
/** Until the settlement queue has nothing to look at any more. */
const settled = async (begun: Begun): Promise<unknown> => {
  for (let n = 0; n < 20; n += 1) {
    const { status, outcome, nextCheckAt } = await readProof(begun);
    if (status === 'done') return outcome;
    if (nextCheckAt === null) throw new Error('Nobody will look at it again');
    move(Math.max(0, Math.ceil((Date.parse(nextCheckAt) - nowMilliseconds()) / 1000)));
    await settleAuthentication({ authenticationId: begun.id, slot: nextCheckAt });
  }
  throw new Error('It never ends');
};

const courses: Record<string, Course> = {
  'naming the card': {
    before: () => create(site),
    work: (begun) => asPage(begun, 'start', cardFields(plain)),
    goOn: beginAgain,
  },
  'asking the issuer': {
    before: async () => {
      const begun = await create(site);
      await start(begun, plain);
      return begun;
    },
    work: (begun) => asPage(begun, 'authenticate', askFields(plain)),
    goOn: beginAgain,
  },
  'the issuer’s return': {
    before: passed,
    work: async (begun) => challengeReturned(await readMessage(begun), noWait),
    goOn: settled,
  },
  'a look of the page': {
    before: async () => {
      const begun = await passed();
      move(61);
      return begun;
    },
    work: (begun) => asPage(begun, 'status'),
    goOn: settled,
  },
  'a look of the sweep': {
    before: async () => {
      const begun = await passed();
      move(61);
      return begun;
    },
    work: (begun) => settleAuthentication({ authenticationId: begun.id, slot: iso(nowMilliseconds()) }),
    goOn: settled,
  },
};

describe.each(['before', 'after'] as const)('killed %s a call of the table is done', (how) => {
  it.each(Object.entries(courses))('%s still ends', async (_name, { before, work, goOn }) => {
    for (let dieAt = 1; dieAt <= maxCalls; dieAt += 1) {
      setClock();
      const begun = await before();
      const died = await untilKilled(dieAt, how, () => work(begun));
      expect(await goOn(begun)).toBe('authenticated');
      expect(await readDetails(begun)).toMatchObject({
        ...{ outcome: 'authenticated', transStatus: 'Y', authenticationValue: expect.any(String) },
      });
      if (!died) return;
    }
    throw new Error('More calls than any step may make');
  });

  it('a payer who stops has stopped, or goes on', async () => {
    for (let dieAt = 1; dieAt <= maxCalls; dieAt += 1) {
      setClock();
      const begun = await create(site);
      await run(begun, coded);
      const died = await untilKilled(dieAt, how, () => asPage(begun, 'cancel', { reason: 'payer' }));
      expect(await cancel(begun, 'payer')).toMatchObject({ outcome: 'canceled' });
      if (!died) return;
    }
    throw new Error('More calls than any step may make');
  });

  it('a beginning with a tid is one authentication', async () => {
    for (let dieAt = 1; dieAt <= maxCalls; dieAt += 1) {
      const tid = `order-${how}-${dieAt}`;
      const died = await untilKilled(dieAt, how, () => tryCreate(site, { tid }));
      const [first, second] = [await create(site, { tid }), await create(site, { tid })];
      expect(second.id).toBe(first.id);
      expect((await run(second, plain)).outcome).toBe('authenticated');
      if (!died) return;
    }
    throw new Error('More calls than any step may make');
  });
});

describe('a message of the settlement queue', () => {
  it('that comes twice, and several times at once, changes nothing more', async () => {
    const begun = await passed();
    move(61);
    const slot = (await readProof(begun)).nextCheckAt ?? '';
    const settle = () => settleAuthentication({ authenticationId: begun.id, slot });
    await Promise.all([settle(), settle(), settle()]);
    const after = await readProof(begun);
    await settle();
    expect(await readProof(begun)).toEqual(after);
    expect(after).toMatchObject({ status: 'done', outcome: 'authenticated', nextCheckAt: null });
  });

  it('that is of an earlier check, or of nothing, does nothing', async () => {
    const begun = await passed();
    const before = await readProof(begun);
    await settleAuthentication({ authenticationId: begun.id, slot: '2020-01-01T00:00:00.000Z' });
    await settleAuthentication({ authenticationId: 1 });
    expect(await readProof(begun)).toEqual(before);
  });

  it('that is lost is made up for by the merchant’s look', async () => {
    const begun = await passed();
    move(61);
    expect(await readDetails(begun)).toMatchObject({ outcome: 'authenticated' });
  });
});
