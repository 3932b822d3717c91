import { describe, expect, it } from 'vitest';
import { passesLuhn } from '#core/kernel/card/luhn.ts';
import { nowIso, nowMilliseconds, setClock } from '#core/kernel/clock.ts';
import type { KeyRing } from '#core/kernel/crypto.ts';
import { isSandboxValue } from '#payments/processors/sandbox/sandbox-authentication.ts';
import { sandboxCardOf } from '#payments/threeds/sandbox/sandbox-cards.ts';
import {
  actOnChallenge,
  makeCres,
  openPage,
  type SandboxChallenge,
} from '#payments/threeds/sandbox/sandbox-challenge.ts';
import { changeSandboxChallenge, getSandboxChallenge } from '#payments/threeds/sandbox/sandbox-challenge-store.ts';
import { sandboxServer } from '#payments/threeds/sandbox/sandbox-server-client.ts';
import { fromBase64Url } from '#payments/threeds/server/base64url.ts';
import { threeDSecureIoServer } from '#payments/threeds/threedsecureio/threedsecureio-client.ts';
import { readAres, readRreq, readVersions } from '#payments/threeds/threedsecureio/threedsecureio-messages.ts';
import { deadUrl } from '#test/support/fake-processor.ts';
import { type FakeThreeDSecureIo, startFakeThreeDSecureIo } from '#test/support/fake-threedsecureio.ts';
import { useTable } from '#test/support/table.ts';
import { describeThreeDsServer, mastercardNumbers, toCard, visaNumbers } from './contract.ts';
import { at, later, transId } from './samples.ts';

useTable();

const ring: KeyRing = { current: 'k1', keys: { k1: 'a key of this test' } };
const baseUrl = 'https://pay.example.com';
const rules = { allowLoopbackHttp: true };
const notEnrolled = '4000100111181111';

describeThreeDsServer('the sandbox', {
  notEnrolled,
  hasPayer: true,
  start: async () => ({
    server: sandboxServer({ ring, baseUrl }),
    challenge: async (id, does) => {
      const challenge = await getSandboxChallenge(id);
      if (!challenge) throw new Error('There is no such challenge');
      const action = does === 'cancels' ? 'cancel' : 'confirm';
      const codes = does === 'fails' ? ['1', '2', '3'] : ['123456'];
      for (const code of codes)
        await changeSandboxChallenge((await getSandboxChallenge(id)) ?? challenge, (one) =>
          actOnChallenge(one, { action, code }, nowIso()),
        );
    },
  }),
  stop: async () => undefined,
});

let contracted: FakeThreeDSecureIo;
describeThreeDsServer('3dsecure.io, as it is documented', {
  notEnrolled,
  hasPayer: true,
  start: async () => {
    contracted = await startFakeThreeDSecureIo();
    const statusOf = { passes: 'Y', fails: 'N', cancels: 'N' } as const;
    return {
      server: threeDSecureIoServer({ url: contracted.url, apiKey: contracted.apiKey }, rules),
      challenge: async (id, does) => contracted.complete(id, statusOf[does], does === 'cancels' ? '01' : undefined),
    };
  },
  stop: async () => contracted[Symbol.asyncDispose](),
});

/** Opt-in: the real sandbox, with a key of one's own. */
const apiKey = process.env['THREEDSECUREIO_KEY'];
if (apiKey) {
  describeThreeDsServer('3dsecure.io itself', {
    notEnrolled: '9000100111111111',
    hasPayer: false,
    start: async () => ({
      server: threeDSecureIoServer(
        { url: 'https://service.sandbox.3dsecure.io', apiKey },
        { allowLoopbackHttp: false },
      ),
    }),
    stop: async () => undefined,
  });
}

describe('3dsecure.io: when it fails or sends an unusual reply', () => {
  const withFake = async (work: (fake: FakeThreeDSecureIo) => Promise<void>) => {
    const fake = await startFakeThreeDSecureIo();
    try {
      await work(fake);
    } finally {
      setClock();
      await fake[Symbol.asyncDispose]();
    }
  };
  const card = toCard(visaNumbers[2003]);
  const serverAt = ({ url, apiKey: key }: { url: string; apiKey: string }, limit?: number) =>
    threeDSecureIoServer({ url, apiKey: key }, rules, limit);

  it.each([
    ['lost', 'broken'],
    ['never', 'broken'],
    ['cut', 'broken'],
    [500, 'broken'],
    [307, 'broken'],
    [401, 'refused'],
    [403, 'refused'],
  ] as const)('%s: unavailable, as %s', (fault, why) =>
    withFake(async (fake) => {
      for (const path of [/preauth/, /\/auth/, /postauth/]) fake.fail(fault, path, 1);
      const server = serverAt(fake);
      const all = [
        await server.versions(card, '2.3.1'),
        await server.authenticate({ card, areq: {} }),
        await server.result(transId),
      ];
      for (const one of all) expect(one).toMatchObject({ kind: 'unavailable', why });
      expect(fake.requests.filter(({ path }) => path === '/elsewhere')).toEqual([]);
    }),
  );

  it('no server there, or too slow', () =>
    withFake(async (fake) => {
      const nobody = serverAt({ url: await deadUrl(), apiKey: 'x' });
      expect(await nobody.versions(card, '2.3.1')).toMatchObject({ kind: 'unavailable', why: 'broken' });
      fake.fail('slow', /preauth/);
      expect(await serverAt(fake, 30).versions(card, '2.3.1')).toMatchObject({ kind: 'unavailable', why: 'timeout' });
    }));

  it('a wrong message is refused, and its report contains nothing of the card', () =>
    withFake(async (fake) => {
      const answer = await serverAt(fake).authenticate({ card, areq: { messageType: 'AReq' } });
      expect(answer).toEqual({ kind: 'unavailable', why: 'refused', detail: '3dsecureio: error 203 of S' });
      const strange = await serverAt(fake).versions(toCard('4242424242424242'), '2.3.1');
      expect(strange).toEqual({ kind: 'unavailable', why: 'refused', detail: '3dsecureio: error 303 of S' });
      expect(await serverAt({ url: fake.url, apiKey: 'wrong' }).versions(card, '2.3.1')).toMatchObject({
        why: 'refused',
      });
    }));

  it('forgets the result of a challenge after five minutes', () =>
    withFake(async (fake) => {
      const id = (await serverAt(fake).versions(toCard(visaNumbers[2072]), '2.3.1')) as { serverTransId: string };
      const transaction = fake.transactions.get(id.serverTransId);
      if (!transaction) throw new Error('There is no such transaction');
      transaction.state = 'challenged';
      transaction.version = '2.2.0';
      fake.complete(id.serverTransId, 'Y');
      expect(await serverAt(fake).result(id.serverTransId)).toMatchObject({ kind: 'rreq' });
      const then = nowMilliseconds() + 301_000;
      setClock(() => then);
      expect(await serverAt(fake).result(id.serverTransId)).toEqual({ kind: 'unknown' });
    }));
});

describe('messages of 3dsecure.io', () => {
  const ares = {
    ...{ messageType: 'ARes', transStatus: 'Y', messageVersion: '2.2.0', eci: '05' },
    ...{ dsTransID: transId, acsTransID: transId, authenticationValue: 'mK225wGt2bLnnLB0UlRky0oHLnU=' },
  };
  const read = (change: object, own = { allowLoopbackHttp: false }) => {
    const answer = readAres({ ...ares, ...change }, own);
    return answer.kind === 'ares' ? answer.ares : answer;
  };

  it.each([null, 5, 'text', [], {}, { messageType: 'ARes' }, { ...ares, transStatus: 'yes' }, { messageType: 'CRes' }])(
    'are none: %j',
    (body) => {
      expect(readAres(body, rules)).toMatchObject({ kind: 'unavailable', why: 'broken' });
      expect(readRreq(body)).toMatchObject({ kind: 'unavailable', why: 'broken' });
      expect(readVersions(body, '2.3.1', rules)).toMatchObject({ kind: 'unavailable', why: 'broken' });
    },
  );

  it('about another transaction are refused, and the same one is known in upper case', () => {
    const [other, same] = ['9e1d1b7c-6f5f-4f0e-8e1f-3b1f1d1c1b1a', transId.toUpperCase()];
    const rreq = { ...ares, messageType: 'RReq' };
    const refused = { kind: 'unavailable', why: 'broken' };
    expect(readAres({ ...ares, threeDSServerTransID: other }, rules, transId)).toMatchObject(refused);
    expect(readRreq({ ...rreq, threeDSServerTransID: other }, transId)).toMatchObject(refused);
    expect(readAres({ ...ares, threeDSServerTransID: same }, rules, transId)).toMatchObject({ kind: 'ares' });
    expect(readRreq({ ...rreq, threeDSServerTransID: same }, transId)).toMatchObject({ kind: 'rreq' });
  });

  it('keep of what is strange only what is not', () => {
    const strange = {
      eci: 5,
      dsTransID: 'x',
      authenticationValue: 'a b',
      transStatusReason: '1',
      messageVersion: '9.9.9',
    };
    expect(read({ ...strange, cardholderInfo: 7, authenticationType: {} })).toMatchObject({
      ...{ transStatus: 'Y', eci: null, dsTransId: null, authenticationValue: null, transStatusReason: null },
      ...{ messageVersion: null, cardholderInfo: null, authenticationType: null, acsTransId: transId },
    });
  });

  it('contain a text for the payer, truncated and on one line', () => {
    expect(read({ cardholderInfo: `Call\n\tus ${'x'.repeat(300)}` })).toMatchObject({
      cardholderInfo: `Call us ${'x'.repeat(120)}`,
    });
    expect(read({ cardholderInfo: { text: 'Call us.', issuerImage: {} } })).toMatchObject({
      cardholderInfo: 'Call us.',
    });
  });

  it.each([
    ['https://acs.example.com/c?x=1', 'https://acs.example.com/c?x=1', 'https://acs.example.com/c?x=1'],
    ['http://127.0.0.1:9000/c', null, 'http://127.0.0.1:9000/c'],
    ['http://acs.example.com/c', null, null],
    ['javascript:alert(1)', null, null],
    ['data:text/html,x', null, null],
    ['https://user:pw@acs.example.com/', null, null],
    ['acs', null, null],
    [5, null, null],
  ])('send browsers to %j only where that is safe', (acsURL, anywhere, here) => {
    expect(read({ acsURL })).toMatchObject({ acsUrl: anywhere });
    expect(read({ acsURL }, rules)).toMatchObject({ acsUrl: here });
  });

  it('of 2.3.1 name the ways of authentication, and the exemption that was applied', () => {
    const newer = { messageVersion: '2.3.1', authenticationMethod: ['07', '02'], transChallengeExemption: '05' };
    expect(read(newer)).toMatchObject({ authenticationType: '07', challengeExemption: '05', messageVersion: '2.3.1' });
  });

  it.each([
    ['402', 'timeout'],
    ['405', 'timeout'],
    ['203', 'refused'],
    ['303', 'refused'],
    ['403', 'broken'],
    ['404', 'broken'],
    [501, 'broken'],
    ['4242424242424242', 'broken'],
  ])('with the error %s are %s', (errorCode, why) => {
    const erro = { messageType: 'Erro', errorCode, errorComponent: 'D', errorDetail: '4242424242424242' };
    const answer = readAres(erro, rules);
    expect(answer).toMatchObject({ kind: 'unavailable', why });
    expect(JSON.stringify(answer)).not.toContain('4242');
  });

  it('list versions, or tell a range', () => {
    const crd = {
      ...{ messageType: 'CRD', threeDSServerTransID: transId, threeDSMethodURL: 'https://acs.example.com/m' },
      ...{ acsStartProtocolVersion: '2.1.0', acsEndProtocolVersion: '2.3.1' },
      ...{ dsStartProtocolVersion: '2.2.0', dsEndProtocolVersion: '2.3.1' },
    };
    const enrolled = { kind: 'enrolled', serverTransId: transId };
    expect(readVersions(crd, '2.3.1', rules)).toEqual({
      ...enrolled,
      version: '2.3.1',
      methodUrl: 'https://acs.example.com/m',
    });
    const acsProtocolVersions = [
      { version: '2.2.0' },
      { version: '2.3.1', threeDSMethodURL: 'https://acs.example.com/n' },
    ];
    expect(readVersions({ ...crd, acsProtocolVersions }, '2.3.1', rules)).toMatchObject({
      ...{ version: '2.3.1', methodUrl: 'https://acs.example.com/n' },
    });
    expect(readVersions({ ...crd, acsProtocolVersions }, '2.2.0', rules)).toMatchObject({
      version: '2.2.0',
      methodUrl: null,
    });
    expect(readVersions({ ...crd, dsProtocolVersions: ['2.2.0'] }, '2.3.1', rules)).toMatchObject({ version: '2.2.0' });
    expect(readVersions({ ...crd, acsEndProtocolVersion: '2.1.0' }, '2.3.1', rules)).toMatchObject({ version: '' });
  });
});

describe('the cards of the sandbox', () => {
  it('have numbers that are right', () => {
    for (const [ends, number] of [...Object.entries(visaNumbers), ...Object.entries(mastercardNumbers)]) {
      expect([passesLuhn(number), number.endsWith(ends)], number).toEqual([true, true]);
    }
  });

  it('say yes after the method where nothing else is said of them', () => {
    const usual = { versions: ['2.1.0', '2.2.0', '2.3.1'], method: 'answers', answer: 'Y', challenge: null };
    for (const number of ['4242424242424242', '5555555555554444', '4000100511110303', '4000100511114003']) {
      expect(sandboxCardOf(number), number).toEqual(usual);
    }
    expect(sandboxCardOf('4000100111181111')).toBeUndefined();
    expect(sandboxCardOf('4111111111111111')).toEqual(usual);
  });
});

describe('a challenge of the sandbox', () => {
  const challenge: SandboxChallenge = {
    ...{
      serverTransId: transId,
      acsTransId: transId,
      dsTransId: transId,
      kind: 'manual',
      scheme: 'VISA',
      version: '2.2.0',
    },
    ...{
      notificationUrl: `${baseUrl}/3ds/challenge`,
      merchantName: 'Tea',
      minor: '1050',
      currencyNumber: '978',
      cardEnd: '2072',
    },
    ...{ wrongCodes: 0, end: null, createdAt: at, revision: 1 },
  };
  const confirm = (one: SandboxChallenge, code: string) => actOnChallenge(one, { action: 'confirm', code }, at);

  it('takes the right code, and three wrong ones', () => {
    expect(confirm(challenge, ' 123456 ')).toMatchObject({
      end: { transStatus: 'Y', challengeCancel: null, knownAt: at },
    });
    const twice = confirm(confirm(challenge, '1'), '2');
    expect(twice).toMatchObject({ wrongCodes: 2, end: null });
    expect(confirm(twice, '123456')).toMatchObject({ end: { transStatus: 'Y' } });
    expect(confirm(twice, '3')).toMatchObject({ end: { transStatus: 'N' } });
  });

  it('ends once', () => {
    const failed = confirm(confirm(confirm(challenge, '1'), '2'), '3');
    expect([confirm(failed, '123456'), openPage(failed, later(9))]).toEqual([failed, failed]);
  });

  it('is canceled, late, or never answered', () => {
    const does = (action: 'cancel' | 'late' | 'never') => actOnChallenge(challenge, { action, code: '' }, at);
    expect(does('cancel')).toMatchObject({ end: { transStatus: 'N', challengeCancel: '01', knownAt: at } });
    expect(does('late')).toMatchObject({ end: { transStatus: 'Y', knownAt: later(5) } });
    expect(does('never')).toBe(challenge);
  });

  it('ends by itself as it is opened, where its card says so', () => {
    expect(openPage({ ...challenge, kind: 'passes' }, at)).toMatchObject({ end: { transStatus: 'Y' } });
    expect(openPage({ ...challenge, kind: 'fails' }, at)).toMatchObject({ end: { transStatus: 'N' } });
    expect(openPage(challenge, at)).toBe(challenge);
    expect(confirm({ ...challenge, kind: 'fails' }, '123456')).toMatchObject({ end: null });
  });

  it('is received in base64url, padded or not', () => {
    const ended = confirm(challenge, '123456');
    for (const version of ['2.2.0', '2.3.1']) {
      const cres = makeCres({ ...ended, version });
      expect(cres.length % 4 === 0 || version === '2.3.1').toBe(true);
      expect(fromBase64Url(cres)).toMatchObject({
        messageType: 'CRes',
        transStatus: 'Y',
        threeDSServerTransID: transId,
      });
    }
  });
});

describe('the value that proves an authentication of the sandbox', () => {
  it('is known again, by any key, and only for its own result', async () => {
    const server = sandboxServer({ ring, baseUrl });
    const answer = await server.authenticate({ card: toCard(visaNumbers[2003]), areq: { messageVersion: '2.2.0' } });
    if (answer.kind !== 'ares') throw new Error(JSON.stringify(answer));
    const { authenticationValue: value = '', dsTransId = '' } = answer.ares;
    const knows = (change: object, keys = ring) =>
      isSandboxValue(keys, { dsTransId: dsTransId ?? '', transStatus: 'Y', ...change }, value ?? '');
    expect([knows({}), knows({}, { current: 'k2', keys: { ...ring.keys, k2: 'new' } })]).toEqual([true, true]);
    expect([knows({ transStatus: 'A' }), knows({ dsTransId: transId })]).toEqual([false, false]);
    expect(knows({}, { current: 'k1', keys: { k1: 'another' } })).toBe(false);
  });
});
