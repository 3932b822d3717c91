import { describe, expect, it } from 'vitest';
import {
  type Authentication,
  abandonedFrom,
  isFresh,
  nextStepOf,
} from '#payments/threeds/authentication/authentication.ts';
import { afterCancel, afterCreq, afterCres, afterNoResult, afterRreq } from '#payments/threeds/challenge/challenge.ts';
import { afterAres, afterVersions } from '#payments/threeds/server/answers.ts';
import type { Versions } from '#payments/threeds/server/three-ds-server.ts';
import { readSettings } from '#payments/threeds/three-ds-settings.ts';
import { ares, at, created, later, rreq, sandboxRules, stored, transId, visa } from './samples.ts';

const enrolled: Versions = { kind: 'enrolled', serverTransId: transId, version: '2.2.0', methodUrl: null };
const started = (change: Partial<Authentication> = {}) => afterVersions(created(change), visa, enrolled, at);
const acsUrl = 'https://acs.example.com/challenge';
const challenged = (change: Partial<Authentication> = {}) =>
  afterAres(
    started(change),
    { kind: 'ares', ares: ares({ transStatus: 'C', authenticationValue: null, eci: null, acsUrl }) },
    '03',
    at,
  ).authentication;

describe('after the 3DS server was asked about a card', () => {
  it('goes on by the method, or at once', () => {
    const methodUrl = 'https://acs.example.com/method';
    const withMethod = afterVersions(created(), visa, { ...enrolled, methodUrl }, at);
    expect(withMethod).toMatchObject({
      status: 'started',
      card: visa,
      server: { transId, version: '2.2.0', methodUrl },
    });
    expect([nextStepOf(created()), nextStepOf(withMethod), nextStepOf(started())]).toEqual([
      'start',
      'method',
      'authenticate',
    ]);
  });

  it.each([
    [{ kind: 'not_enrolled' }, 'not_enrolled'],
    [{ kind: 'unavailable', why: 'timeout', detail: '' }, 'timeout'],
    [{ kind: 'unavailable', why: 'broken', detail: '' }, 'server_error'],
    [{ kind: 'unavailable', why: 'refused', detail: '' }, 'server_error'],
    [{ ...enrolled, version: '2.1.0' }, 'version_not_supported'],
    [{ ...enrolled, version: '2.4.0' }, 'version_not_supported'],
  ] as const)('%j ends it: %s', (versions, reason) => {
    const ended = afterVersions(created(), visa, versions, at);
    expect(ended).toMatchObject({
      status: 'done',
      outcome: 'unavailable',
      reason,
      card: visa,
      payer: null,
      doneAt: at,
    });
    expect(ended.result).toMatchObject({ transStatus: null, liabilityShift: false });
  });

  it('speaks no version above what the site allows', () => {
    const settings = readSettings(stored({}, { threedsprotocolversion: '2.2' }), sandboxRules);
    const newer = { ...enrolled, version: '2.3.1' } as const;
    expect(afterVersions(created({ settings }), visa, newer, at)).toMatchObject({ reason: 'version_not_supported' });
    expect(afterVersions(created(), visa, newer, at)).toMatchObject({ status: 'started' });
  });

  it('gives up the challenge that was under way', () => {
    expect(afterVersions(challenged(), visa, enrolled, later(5))).toMatchObject({
      ...{ status: 'started', challenge: null, nextCheckAt: abandonedFrom(later(5)) },
      server: { startedAt: later(5) },
    });
  });

  it('is fresh for 75 seconds', () => {
    expect([isFresh(created(), at), isFresh(started(), later(74)), isFresh(started(), later(75))]).toEqual([
      false,
      true,
      false,
    ]);
  });
});

describe('after the issuer answered', () => {
  it.each([
    ['Y', '05', 'authenticated', true, true],
    ['A', '06', 'attempted', true, true],
    ['I', '07', 'informational', false, true],
    ['N', '07', 'not_authenticated', false, false],
    ['R', '07', 'rejected', false, false],
    ['U', '07', 'unavailable', false, false],
  ] as const)('%s: %s', (transStatus, eci, outcome, liabilityShift, isProven) => {
    const step = afterAres(
      started(),
      { kind: 'ares', ares: ares({ transStatus, eci, transStatusReason: '17' }) },
      '03',
      at,
    );
    expect(step.value).toBe(isProven ? ares().authenticationValue : null);
    expect(step.authentication).toMatchObject({ status: 'done', outcome, payer: null, doneAt: at, nextCheckAt: null });
    expect(step.authentication.result).toEqual({
      ...{ transStatus, transStatusReason: '17', aresTransStatus: transStatus, challengeTransStatus: null, eci },
      ...{ messageVersion: '2.2.0', dsTransId: ares().dsTransId, acsTransId: ares().acsTransId, challengeCancel: null },
      ...{ authenticationType: null, cardholderInfo: null, exemption: null, liabilityShift },
    });
  });

  it('promises nothing without the value that proves it', () => {
    const step = afterAres(started(), { kind: 'ares', ares: ares({ authenticationValue: null }) }, '03', at);
    expect(step).toMatchObject({
      value: null,
      authentication: { outcome: 'authenticated', result: { liabilityShift: false } },
    });
  });

  it('reports the exemption that was granted, which leaves the liability', () => {
    const answer = { kind: 'ares', ares: ares({ challengeExemption: '05' }) } as const;
    expect(afterAres(started({ exemption: 'tra' }), answer, '03', at).authentication.result).toMatchObject({
      ...{ exemption: 'tra', liabilityShift: false },
    });
    expect(afterAres(started(), answer, '03', at).authentication.result).toMatchObject({
      ...{ exemption: null, liabilityShift: true },
    });
  });

  it.each([
    ['timeout', 'timeout'],
    ['broken', 'server_error'],
    ['refused', 'server_error'],
  ] as const)('or did not (%s): %s', (why, reason) => {
    const { authentication } = afterAres(started(), { kind: 'unavailable', why, detail: '' }, '03', at);
    expect(authentication).toMatchObject({ status: 'done', outcome: 'unavailable', reason });
  });

  it('waits for a challenge, of which the server is asked after a minute', () => {
    expect(challenged()).toMatchObject({
      ...{ status: 'challenged', outcome: null, result: null, nextCheckAt: later(60) },
      challenge: { ares: { acsUrl }, windowSize: '03', at, creqAt: null, cresAt: null },
    });
    expect(nextStepOf(challenged())).toBe('challenge');
    expect(JSON.stringify(challenged())).not.toContain('authenticationValue');
  });

  it('takes no challenge that the site does not want, or that no browser may be sent to', () => {
    const settings = readSettings(stored({ disableChallenge: '1' }), sandboxRules);
    expect(challenged({ settings })).toMatchObject({
      status: 'done',
      outcome: 'unavailable',
      reason: 'challenge_disabled',
    });
    for (const missing of [{ acsUrl: null }, { acsTransId: null }]) {
      const answer = { kind: 'ares', ares: ares({ transStatus: 'C', acsUrl, ...missing }) } as const;
      expect(afterAres(started(), answer, '03', at).authentication).toMatchObject({ reason: 'acs_url_invalid' });
    }
  });
});

describe('a challenge', () => {
  it('ends with what the issuer told the server', () => {
    const { authentication, value } = afterRreq(challenged(), rreq({ challengeCancel: null }), later(30));
    expect(value).toBe(rreq().authenticationValue);
    expect(authentication).toMatchObject({
      status: 'done',
      outcome: 'authenticated',
      doneAt: later(30),
      challenge: null,
    });
    expect(authentication.result).toMatchObject({
      ...{ transStatus: 'Y', aresTransStatus: 'C', challengeTransStatus: 'Y', eci: '05', authenticationType: '02' },
      ...{ liabilityShift: true, dsTransId: rreq().dsTransId },
    });
  });

  it('was canceled or timed out where the issuer says so', () => {
    const canceled = afterRreq(challenged(), rreq({ transStatus: 'N', challengeCancel: '01', eci: '07' }), at);
    expect(canceled).toMatchObject({
      value: null,
      authentication: { outcome: 'canceled', result: { challengeCancel: '01' } },
    });
    const late = afterRreq(challenged(), rreq({ transStatus: 'U', challengeCancel: '04' }), at);
    expect(late.authentication).toMatchObject({
      outcome: 'timed_out',
      result: { transStatus: 'U', liabilityShift: false },
    });
  });

  it('is ended by the payer, their page or its clock, without a result of the issuer', () => {
    expect(afterCancel(challenged(), 'payer', at)).toMatchObject({
      ...{ status: 'done', outcome: 'canceled', reason: 'payer' },
      result: { transStatus: 'U', aresTransStatus: 'C', challengeCancel: '01', dsTransId: ares().dsTransId },
    });
    expect(afterCancel(challenged(), 'abort', at)).toMatchObject({ outcome: 'canceled', reason: 'abort' });
    expect(afterCancel(challenged(), 'timeout', at)).toMatchObject({ outcome: 'timed_out', reason: 'timeout' });
    expect(afterCancel(started(), 'abort', at).result).toMatchObject({
      transStatus: 'U',
      aresTransStatus: null,
      messageVersion: '2.2.0',
    });
  });

  it('whose first page was not loaded within 30 seconds is over', () => {
    expect(afterNoResult(challenged(), later(29))).toMatchObject({ status: 'challenged' });
    expect(afterNoResult(challenged(), later(30))).toMatchObject({ outcome: 'timed_out', reason: 'timeout' });
    expect(afterNoResult(afterCreq(challenged(), later(10)), later(60))).toMatchObject({ status: 'challenged' });
  });

  it('is asked about every four minutes, and over after half an hour', () => {
    const shown = afterCreq(challenged(), later(1));
    let asked = afterNoResult(shown, later(60));
    const checks: string[] = [];
    while (asked.status !== 'done' && checks.length < 20) {
      checks.push(asked.nextCheckAt ?? '');
      asked = afterNoResult(asked, asked.nextCheckAt ?? '');
    }
    expect(checks.slice(0, 2)).toEqual([later(300), later(540)]);
    expect([checks.at(-1), checks.length]).toEqual([later(31 * 60), 8]);
    expect(asked).toMatchObject({ outcome: 'timed_out', nextCheckAt: null });
  });

  it('keeps the time of its next check after an earlier query', () => {
    const shown = afterCreq(challenged(), later(1));
    expect(afterNoResult(shown, later(5))).toBe(shown);
  });

  it('has no result where the server has none a minute after the issuer was done', () => {
    const told = afterCres(afterCreq(challenged(), later(1)), later(100));
    expect(told).toMatchObject({ nextCheckAt: later(160), challenge: { cresAt: later(100) } });
    expect(afterNoResult(told, later(159))).toMatchObject({ status: 'challenged' });
    expect(afterNoResult(told, later(160))).toMatchObject({
      outcome: 'unavailable',
      reason: 'no_result',
      result: { transStatus: 'U' },
    });
  });

  it('begins and ends its times once', () => {
    const shown = afterCreq(challenged(), later(1));
    expect(afterCreq(shown, later(2))).toBe(shown);
    const told = afterCres(shown, later(3));
    expect(afterCres(told, later(4))).toBe(told);
    for (const step of [afterCreq, afterCres, afterNoResult]) {
      const before = started();
      expect(step(before, at)).toBe(before);
    }
  });
});
