import { describe, expect, it } from 'vitest';
import { createRequestLimits } from '#lib/local/gateway/request-limits.ts';
import { serviceStack, toList } from '#test/cloud/synthesized.ts';
import { useServer } from '#test/support/use-server.ts';
import { startTiny } from './tiny-stack.ts';

const { only } = serviceStack();
const sources = {
  methodSettings: toList(only('AWS::ApiGateway::Stage').properties['MethodSettings']),
  rules: toList(only('AWS::WAFv2::WebACL').properties['Rules']),
};
/** Counts how many of several concurrent requests are admitted. */
const admitted = (count: number, admit: () => unknown) =>
  Array.from({ length: count }, admit).filter((refusal) => refusal === undefined).length;

describe("the template's request limits", () => {
  it('admit a burst of a method and refill it by its rate', () => {
    const limits = createRequestLimits(sources);
    const health = (now: number) => limits.admitMethod('GET', '/health', now);
    expect(admitted(150, () => health(1_000_000))).toBe(100);
    expect(admitted(80, () => health(1_001_000))).toBe(50);
    expect(health(1_001_000)).toBe('THROTTLED');
  });

  it('give a method of providers a share of its own', () => {
    const limits = createRequestLimits(sources);
    const receive = () => limits.admitMethod('POST', '/api/v3/providers/provider_a/alerts', 1_000_000);
    expect(admitted(2500, receive)).toBe(2000);
  });

  it("give each other method the stage's throttle for itself", () => {
    const limits = createRequestLimits(sources);
    for (const path of ['/api/v3/orders/list', '/api/v3/site/list'])
      expect(admitted(500, () => limits.admitMethod('POST', path, 1_000_000))).toBe(400);
  });

  it('count sign-ins of one address by a rule of their own, and forget them after five minutes', () => {
    const limits = createRequestLimits(sources);
    const signIn = (address: string, now: number) =>
      limits.admitAddress(address, '/dev/api/v2/index.php/gettoken', now);
    expect(admitted(400, () => signIn('192.0.2.1', 1_000_000))).toBe(300);
    expect(signIn('192.0.2.2', 1_000_000)).toBeUndefined();
    expect(signIn('192.0.2.1', 1_300_001)).toBeUndefined();
  });

  it('count signed messages by their own rule and not by that of all others', () => {
    const limits = createRequestLimits(sources);
    const receive = () => limits.admitAddress('192.0.2.1', '/dev/api/v3/providers/rdr/alerts', 1_000_000);
    expect(admitted(7000, receive)).toBe(7000);
    const list = () => limits.admitAddress('192.0.2.1', '/dev/api/v3/orders/list', 1_000_000);
    expect(admitted(6500, list)).toBe(6000);
  });
});

describe('a local gateway with request limits', async () => {
  const rule = (Limit: number) => ({ Name: 'rate', Statement: { RateBasedStatement: { Limit } } });
  const echo = 'exports.handler = async () => ({ statusCode: 200, body: "{}" });';
  const routes = { 'POST /echo': 'echo' };
  const tiny = await useServer(startTiny({ echo }, routes, { requestLimits: true, rules: [rule(3)] }));

  it('answers what the firewall refuses with 403', async () => {
    const statuses: number[] = [];
    for (let count = 0; count < 4; count += 1)
      statuses.push((await fetch(`${tiny.stack.url}/echo`, { method: 'POST' })).status);
    expect(statuses).toEqual([200, 200, 200, 403]);
  });
});
