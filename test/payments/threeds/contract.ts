import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Card, schemeOf } from '#core/kernel/card/card.ts';
import { makeAreq } from '#payments/threeds/server/areq.ts';
import { isUuid } from '#payments/threeds/server/base64url.ts';
import type { Ares, ThreeDsServer } from '#payments/threeds/server/three-ds-server.ts';
import { isSpoken } from '#payments/threeds/server/versions.ts';
import { readSettings } from '#payments/threeds/three-ds-settings.ts';
import { browser, created, sandboxRules, stored } from './samples.ts';

/**
 * The contract of every 3DS server, on which authentications rely. Numbers and answers are those of 3dsecure.io's public sandbox,
 * which Forewarn's own reads alike, so that one suite runs against both, and against a strict fake.
 */

type Harness = {
  server: ThreeDsServer;
  /** Plays the payer at the issuer's page. Absent: the payer cannot be there. */
  challenge?(transId: string, does: 'passes' | 'fails' | 'cancels'): Promise<void>;
};
/** `hasPayer`: whether the harness can answer challenges. */
type Subject = { start(): Promise<Harness>; stop(): Promise<void>; notEnrolled: string; hasPayer: boolean };

export const toCard = (number: string): Card => {
  const scheme = schemeOf(number);
  if (!scheme) throw new Error('The number belongs to no scheme');
  return new Card({ number, cvv: null, expMonth: '12', expYear: '2030', holder: '' }, scheme);
};

export const visaNumbers = {
  2003: '4000100511132003',
  2103: '4000100511122103',
  2203: '4000100511112203',
  2113: '4000100511102113',
  2123: '4000100511182123',
  2133: '4000100511162133',
  2143: '4000100511142143',
  2153: '4000100511112153',
  2163: '4000100511192163',
  2070: '4000100511112070',
  2071: '4000100511102071',
  2072: '4000100511192072',
  3072: '4000100511173072',
  1072: '4000100511111072',
} as const;
export const mastercardNumbers = {
  2003: '5200100511182003',
  2103: '5200100511172103',
  2203: '5200100511162203',
  2113: '5200100511152113',
  2123: '5200100511132123',
  2133: '5200100511112133',
  2143: '5200100511192143',
  2153: '5200100511162153',
  2163: '5200100511142163',
  2070: '5200100511162070',
  2071: '5200100511152071',
  2072: '5200100511142072',
  3072: '5200100511123072',
  1072: '5200100511161072',
} as const;

type Row = [ends: string, transStatus: string, hasMethod: boolean, ecis: { VISA: string; MASTERCARD: string }];
const rows: Row[] = [
  ['2003', 'Y', true, { VISA: '05', MASTERCARD: '02' }],
  ['2103', 'Y', false, { VISA: '05', MASTERCARD: '02' }],
  ['2203', 'Y', true, { VISA: '05', MASTERCARD: '02' }],
  ['2113', 'N', false, { VISA: '07', MASTERCARD: '00' }],
  ['2123', 'A', false, { VISA: '06', MASTERCARD: '01' }],
  ['2133', 'R', false, { VISA: '07', MASTERCARD: '00' }],
  ['2143', 'I', false, { VISA: '07', MASTERCARD: '06' }],
  ['2153', 'U', false, { VISA: '07', MASTERCARD: '00' }],
];

export const describeThreeDsServer = (name: string, subject: Subject): void => {
  describe(name, () => {
    let harness: Harness;
    beforeAll(async () => {
      harness = await subject.start();
    });
    afterAll(() => subject.stop());

    /** Asks about a card, and then its issuer. */
    const ask = async (number: string, highest = '2.3.1') => {
      const card = toCard(number);
      const versions = await harness.server.versions(card, highest);
      if (versions.kind !== 'enrolled') throw new Error(JSON.stringify(versions));
      const { serverTransId, version, methodUrl } = versions;
      if (!isSpoken(version)) throw new Error(`The version is ${version}`);
      const areq = makeAreq({
        ...{ scheme: card.scheme, version, serverTransId, challengeInd: '01', browser, holder: 'Ada Example' },
        settings: readSettings(stored(), sandboxRules),
        method: methodUrl ? 'Y' : 'U',
        money: { minor: '1050', currency: 'EUR', exponent: 2 },
        payer: created().payer ?? empty,
        request: { accept: 'text/html', acceptLanguage: 'de', ip: '203.0.113.7' },
        notificationUrl: 'https://pay.example.com/3ds/challenge',
        at: new Date().toISOString(),
      });
      return { versions, answer: await harness.server.authenticate({ card, areq }) };
    };
    const empty = {
      firstName: null,
      lastName: null,
      email: null,
      phone: null,
      address: null,
      shipping: null,
      account: null,
    };
    const aresOf = async (number: string): Promise<{ ares: Ares; transId: string }> => {
      const { versions, answer } = await ask(number);
      if (answer.kind !== 'ares') throw new Error(JSON.stringify(answer));
      return { ares: answer.ares, transId: versions.serverTransId };
    };

    describe.each(rows)('a card that ends in %s', (ends, transStatus, hasMethod, ecis) => {
      it.each(['VISA', 'MASTERCARD'] as const)(`of %s is answered ${transStatus}`, async (scheme) => {
        const numbers: Record<string, string> = scheme === 'VISA' ? visaNumbers : mastercardNumbers;
        const { versions, answer } = await ask(numbers[ends] ?? '');
        expect(versions).toEqual({
          ...{ kind: 'enrolled', version: '2.2.0', serverTransId: expect.any(String) },
          methodUrl: hasMethod ? expect.stringMatching(/^https?:\/\//) : null,
        });
        expect(isUuid(versions.serverTransId)).toBe(true);
        if (answer.kind !== 'ares') throw new Error(JSON.stringify(answer));
        expect(answer.ares).toMatchObject({ transStatus, messageVersion: '2.2.0', acsUrl: null, eci: ecis[scheme] });
        expect([isUuid(answer.ares.dsTransId), isUuid(answer.ares.acsTransId)]).toEqual([true, true]);
        const isProven = transStatus === 'Y' || transStatus === 'A';
        if (isProven) expect(Buffer.from(answer.ares.authenticationValue ?? '', 'base64')).toHaveLength(20);
        else if (transStatus !== 'I') expect(answer.ares.authenticationValue).toBeNull();
      });
    });

    it('reports a card that takes no part', async () => {
      expect(await harness.server.versions(toCard(subject.notEnrolled), '2.3.1')).toEqual({ kind: 'not_enrolled' });
    });

    it('reports an issuer that does not answer in time', async () => {
      const { answer } = await ask(visaNumbers[2163]);
      expect(answer).toMatchObject({ kind: 'unavailable', why: 'timeout' });
    });

    it('speaks the highest version of both sides that it may', async () => {
      const versionOf = async (number: string, highest: string) => {
        const versions = await harness.server.versions(toCard(number), highest);
        return versions.kind === 'enrolled' ? versions.version : versions.kind;
      };
      expect(await versionOf(visaNumbers[1072], '2.3.1')).toBe('2.1.0');
      expect(await versionOf(visaNumbers[2003], '2.3.1')).toBe('2.2.0');
      expect(await versionOf(visaNumbers[3072], '2.3.1')).toBe('2.3.1');
      expect(await versionOf(visaNumbers[3072], '2.2.0')).toBe('2.3.1');
      const all = '4000100511110003';
      expect(await versionOf(all, '2.3.1')).toBe('2.3.1');
      expect(await versionOf(all, '2.2.0')).toBe('2.2.0');
    });

    it.each([visaNumbers[2070], visaNumbers[2072], mastercardNumbers[3072]])(
      'wants a challenge for %s, which has no end yet',
      async (number) => {
        const { ares, transId } = await aresOf(number);
        expect(ares).toMatchObject({
          transStatus: 'C',
          acsUrl: expect.stringMatching(/^https?:\/\//),
          authenticationValue: null,
        });
        expect(ares).toMatchObject({ authenticationType: expect.stringMatching(/^\d\d$/) });
        expect(await harness.server.result(transId)).toEqual({ kind: 'pending' });
      },
    );

    it('knows nothing of what it was not asked', async () => {
      expect(await harness.server.result('6b91f61e-9e62-4f5c-ab8c-f1ffb84122cb')).toEqual({ kind: 'unknown' });
    });

    it('shows nothing of a card in what it answers', async () => {
      const number = visaNumbers[2003];
      const { versions, answer } = await ask(number);
      expect(inspect([versions, answer], { depth: 9 })).not.toContain(number);
    });

    it.runIf(subject.hasPayer)('tells how a challenge ended', async () => {
      const { challenge } = harness;
      if (!challenge) throw new Error('Nobody can be at the issuer');
      const ended = async (number: string, does: 'passes' | 'fails' | 'cancels') => {
        const { ares, transId } = await aresOf(number);
        await challenge(transId, does);
        return { ares, result: await harness.server.result(transId) };
      };
      const passed = await ended(visaNumbers[2072], 'passes');
      expect(passed.result).toMatchObject({
        kind: 'rreq',
        rreq: { transStatus: 'Y', eci: '05', challengeCancel: null },
      });
      const { rreq } = passed.result.kind === 'rreq' ? passed.result : { rreq: undefined };
      expect(Buffer.from(rreq?.authenticationValue ?? '', 'base64')).toHaveLength(20);
      expect([rreq?.dsTransId, rreq?.acsTransId]).toEqual([passed.ares.dsTransId, passed.ares.acsTransId]);
      expect((await ended(mastercardNumbers[2072], 'fails')).result).toMatchObject({
        ...{ kind: 'rreq', rreq: { transStatus: 'N', eci: '00', authenticationValue: null } },
      });
      expect((await ended(visaNumbers[3072], 'cancels')).result).toMatchObject({
        ...{ kind: 'rreq', rreq: { transStatus: 'N', challengeCancel: '01', messageVersion: '2.3.1' } },
      });
    });
  });
};
