import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensureDemo } from '../../lib/local/demo/demo-tenant.ts';
import { providerAAlert, sendSigned } from '../support/personas.ts';
import { startStack, type TestStack } from '../support/stack.ts';

let service: TestStack;
beforeAll(async () => {
  service = await startStack({ startTime: '2026-05-02T10:00:00Z' });
});
afterAll(() => service.stop());

describe('the local stack', () => {
  it('carries an alert from the provider to the merchant, at once', async () => {
    service.sinks.clear('demo');
    const { status, body } = await sendSigned(service, 'provider_a', providerAAlert(service));
    expect([status, body['matched']]).toEqual([200, true]);
    await service.untilIdle();
    expect(service.sinks.got('demo')).toHaveLength(1);
    expect(new URLSearchParams(service.sinks.got('demo')[0]?.body).get('alert_id')).toBe(String(body['alert_id']));
  });

  it('tries a delivery that failed again at the next slot, and not before', async () => {
    service.sinks.clear('demo');
    service.sinks.answer('demo', { status: 500, times: 1 });
    await sendSigned(service, 'provider_a', providerAAlert(service));
    await service.untilIdle();
    expect(service.sinks.got('demo')).toHaveLength(1);
    await service.clock.set('2026-05-02T11:59:59Z');
    expect(service.sinks.got('demo')).toHaveLength(1);
    await service.clock.set('2026-05-02T12:00:00Z');
    expect(service.sinks.got('demo')).toHaveLength(2);
    expect(service.sinks.got('demo')[1]?.time.slice(0, 19)).toBe('2026-05-02T12:00:00');
  });

  it('keeps everything over a restart: data, tokens, time, what a sink got', async () => {
    const token = await service.tokenOf('merchant');
    const before = service.sinks.got('demo').length;
    const time = service.clock.now().getTime();
    await service.restart();
    expect(service.sinks.got('demo')).toHaveLength(before);
    expect(service.clock.now().getTime()).toBeGreaterThanOrEqual(time);
    const { status } = await service.call(`/api/v3/site/${service.credentials.site.sid}/details`, { token });
    expect(status).toBe(200);
  });

  it('is new again after a reset, with other credentials and nothing left', async () => {
    const token = await service.tokenOf('admin');
    const { rcode } = service.credentials.site;
    // Tokens are valid from the second in which their user was made.
    await service.clock.advance('PT2S');
    const { status } = await service.call('/_local/reset');
    expect([status, service.problems]).toEqual([200, []]);
    expect(service.credentials.site.rcode).not.toBe(rcode);
    expect(service.sinks.got('demo')).toEqual([]);
    expect((await service.call('/api/v3/site/1/details', { token })).status).toBe(401);
    expect((await service.call('/api/v3/site/1/details', { token: await service.tokenOf('admin') })).status).toBe(200);
  });
});

describe('the local control', () => {
  const control = (path: string, init: RequestInit = {}) => fetch(`${service.url}/_local${path}`, init);

  it('says how the stack is', async () => {
    const status = await (await control('/status')).json();
    expect(status).toEqual({ now: expect.stringMatching(/Z$/), idle: true, queues: expect.any(Object) });
  });

  it('gives the credentials as they are documented', async () => {
    const user = { username: expect.any(String), password: expect.any(String) };
    const secrets = { rcode: expect.any(String), signing_secret: expect.stringMatching(/^whsec_/) };
    expect(await (await control('/credentials')).json()).toEqual({
      admin: user,
      merchant: user,
      site: { mid: 1, rid: 1, sid: 1, ...secrets },
      payment_site: { mid: 1, rid: 1, sid: 2, ...secrets },
      providers: { provider_a: expect.any(String), provider_b: expect.any(String), rdr: expect.any(String) },
    });
  });

  it('moves the clock forward only', async () => {
    const move = (body: unknown) => control('/clock', { method: 'POST', body: JSON.stringify(body) });
    expect((await move({ set: '2020-01-01T00:00:00Z' })).status).toBe(409);
    for (const wrong of [{ advance: 'tomorrow' }, { advance: '-PT1H' }, { set: 'noon' }, {}]) {
      const refused = await move(wrong);
      expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining('give either advance, ')]);
    }
    const before = service.clock.now().getTime();
    const { now } = { now: '', ...Object(await (await move({ advance: 'PT1H30M' })).json()) };
    expect(Date.parse(now)).toBeGreaterThanOrEqual(before + 90 * 60_000);
  });

  it('lets a sink answer as it is told, and then as usual', async () => {
    const answer = { status: 418, body: 'short', times: 2, headers: { 'X-Tea': 'yes' } };
    await control('/sinks/tea', { method: 'PUT', body: JSON.stringify(answer) });
    const pour = () => control('/sink/tea/cup', { method: 'POST', body: 'hot' });
    const replies = [await pour(), await pour(), await pour()];
    expect(replies.map(({ status }) => status)).toEqual([418, 418, 200]);
    expect([replies[0]?.headers.get('x-tea'), await replies[0]?.text()]).toEqual(['yes', 'short']);
    const got = await (await control('/sinks/tea')).json();
    expect(got).toMatchObject([{ method: 'POST', path: '/_local/sink/tea/cup', body: 'hot' }, {}, {}]);
    await control('/sinks/tea', { method: 'DELETE' });
    expect(await (await control('/sinks/tea')).json()).toEqual([]);
  });

  it.each([
    [{ origin: 'https://evil.example' }, 403],
    [{ origin: 'null' }, 403],
    [{ origin: 'http://localhost:5173' }, 200],
  ])('answers a call with %o with %i', async (headers, status) => {
    expect((await control('/status', { headers })).status).toBe(status);
  });
});

describe('the demo payment site', () => {
  const typeOf = async (sid: number) => {
    const { body } = await service.call(`/api/v3/site/${sid}/details`, { token: await service.tokenOf('merchant') });
    return body['type'];
  };

  it('is a payment site of the demo merchant', async () => {
    const { site, payment_site } = service.credentials;
    expect([await typeOf(site.sid), await typeOf(payment_site.sid)]).toEqual(['alert', 'payment']);
    expect(payment_site.rcode).not.toBe(site.rcode);
  });

  it('is added to a data folder that was made before there were payments', async () => {
    const { state } = service.stack;
    const { payment_site, ...kept } = JSON.parse(state.get('demo-tenant') ?? '');
    state.set('demo-tenant', JSON.stringify(kept));
    await service.restart();
    const { site, payment_site: made } = service.credentials;
    expect(site).toEqual(kept.site);
    expect(made.sid).toBeGreaterThan(payment_site.sid);
    expect(await typeOf(made.sid)).toBe('payment');
    await service.restart();
    expect(service.credentials.payment_site).toEqual(made);
  });

  it('says what to do if it cannot be added', async () => {
    const { state } = service.stack;
    const whole = state.get('demo-tenant') ?? '';
    const { payment_site: _, ...kept } = JSON.parse(whole);
    state.set('demo-tenant', JSON.stringify({ ...kept, admin: { ...kept.admin, password: 'another' } }));
    await expect(ensureDemo({ ...service.stack, report: () => undefined })).rejects.toThrow('another DATA_DIR');
    state.set('demo-tenant', whole);
  });
});
