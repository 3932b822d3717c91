import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { describe, expect, inject, it, vi } from 'vitest';
import { makeRecord } from '#core/kernel/record-of.ts';
import { signingProviderNames } from '#disputes/providers/providers.ts';
import { findDeclared, readDeclared } from '#lib/local/build/declared-functions.ts';
import { ensureDemo } from '#lib/local/demo/demo-tenant.ts';
import { firstFunctions } from '#lib/local/demo/first-functions.ts';
import { providerAAlert, sendSigned } from '#test/support/personas.ts';
import { useStack } from '#test/support/stack.ts';
import { patiently } from '#test/support/wait-options.ts';

const service = await useStack({ real: true, startTime: '2026-05-02T10:00:00Z', ownDemo: true });

describe('the local stack', () => {
  it('knows which functions it needs at its first start, so that they are built in one pass', async () => {
    await service.untilIdle();
    const { definitions } = service.stack.runner;
    const declared = readDeclared(inject('templateFolder'));
    const used = new Set(service.invocations.map(({ function: { name } }) => findDeclared(declared, name)));
    expect(definitions.length).toBe(declared.length);
    expect([...used].map((one) => `${one?.area}/${one?.name}`).sort()).toEqual([...firstFunctions].sort());
  });

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
    // The clock runs on: on a busy machine by seconds.
    expect(service.sinks.got('demo')[1]?.time).toMatch(/^2026-05-02T12:00:/);
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

  it('is at its first time again after a reset, and tries again at the next slot from there', async () => {
    await service.clock.advance('P3D');
    await service.call('/_local/reset');
    expect(service.clock.now().toISOString().slice(0, 13)).toBe('2026-05-02T10');
    service.sinks.answer('demo', { status: 500, times: 1 });
    await sendSigned(service, 'provider_a', providerAAlert(service));
    await service.clock.set('2026-05-02T12:00:00Z');
    expect(service.sinks.got('demo').map(({ time }) => time.slice(0, 13))).toEqual(['2026-05-02T10', '2026-05-02T12']);
  });

  it('is reset under traffic without a message that fails afterwards', async () => {
    // The providers' secrets outlive a reset.
    const provider = Object.create(service, { credentials: { value: service.credentials } });
    const statuses = new Set<number>();
    const { password } = service.credentials.admin;
    // It keeps a delivery waiting, and with it the reset, until a request was refused meanwhile.
    await using endpoint = await holdingEndpoint();
    const turnedAway = Promise.withResolvers<void>();
    await service.call('/api/v3/site/mid/1/rid/1/sid/1/alert', {
      token: await service.tokenOf('admin'),
      body: { alertapiurl: endpoint.url },
    });
    let sinceEmptied = 0;
    const traffic = steadily(
      async () => {
        if (service.stack.credentials()?.admin.password !== password) sinceEmptied += 1;
        const { status } = await sendSigned(provider, 'provider_a', providerAAlert(service));
        statuses.add(status);
        if (status === 503) turnedAway.resolve();
      },
      // All that comes in then has to be worked off.
      () => sinceEmptied < 24,
    );
    await Promise.all([traffic.untilUnderWay(), endpoint.asked]);
    const before = service.invocations.length;
    const reset = service.call('/_local/reset');
    await turnedAway.promise;
    endpoint.answer();
    expect((await reset).status).toBe(200);
    await traffic.stop();
    expect(sinceEmptied).toBeGreaterThan(0);
    expect([...statuses].filter((status) => ![200, 401, 503].includes(status))).toEqual([]);
    await service.clock.advance('PT13H');
    const since = service.invocations.slice(before);
    expect(since.filter(({ error }) => error)).toEqual([]);
    expect(since.flatMap(({ logs }) => logs).filter((line) => line.includes('message_failed'))).toEqual([]);
    const { body } = await service.call('/_local/status', { method: 'GET' });
    expect(Object.values(Object(body['queues'])).filter((depth) => depth !== 0)).toEqual([]);
  });

  it('moves its clock while requests keep coming', async () => {
    const traffic = steadily(() => sendSigned(service, 'provider_a', providerAAlert(service)));
    await traffic.untilUnderWay();
    const target = service.clock.now().getTime() + 13 * 3_600_000;
    await service.clock.advance('PT13H');
    expect(service.clock.now().getTime()).toBeGreaterThanOrEqual(target);
    expect(await traffic.stop()).toBeGreaterThan(0);
    await service.untilIdle();
  });
});

/** A merchant's endpoint that answers nothing until it is released, and everything immediately from then on. */
const holdingEndpoint = async () => {
  const asked = Promise.withResolvers<void>();
  const held: ServerResponse[] = [];
  let isHolding = true;
  const server = createServer((request, response) => {
    request.resume();
    asked.resolve();
    if (isHolding) held.push(response);
    else response.end('ok');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/`,
    asked: asked.promise,
    answer: () => {
      isHolding = false;
      for (const response of held) response.end('ok');
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};

/** Makes four calls at a time, over and over, as long as more are wanted. `stop` answers how many there were. */
const steadily = (call: () => Promise<unknown>, wantsMore: () => boolean = () => true) => {
  let isStopped = false;
  let made = 0;
  const first = Promise.withResolvers<void>();
  const go = async (): Promise<void> => {
    while (!isStopped && wantsMore()) {
      await call();
      made += 1;
      if (made > 8) first.resolve();
    }
  };
  const going = Promise.all([go(), go(), go(), go()]);
  return {
    untilUnderWay: () => first.promise,
    stop: async () => {
      isStopped = true;
      await going;
      return made;
    },
  };
};

describe('the local control', () => {
  const control = (path: string, init: RequestInit = {}) => fetch(`${service.url}/_local${path}`, init);

  it('says how the stack is', async () => {
    // A tick of its clock may run.
    await vi.waitFor(async () => {
      const status = await (await control('/status')).json();
      expect(status).toEqual({ now: expect.stringMatching(/Z$/), idle: true, queues: expect.any(Object) });
    }, patiently);
  });

  it('gives the credentials as they are documented', async () => {
    const user = { username: expect.any(String), password: expect.any(String) };
    const secrets = { rcode: expect.any(String), signing_secret: expect.stringMatching(/^whsec_/) };
    expect(await (await control('/credentials')).json()).toEqual({
      admin: user,
      merchant: user,
      site: { mid: 1, rid: 1, sid: 1, ...secrets },
      payment_site: { mid: 1, rid: 1, sid: 2, ...secrets },
      three_ds_site: { mid: 1, rid: 1, sid: 3, ...secrets },
      providers: makeRecord(signingProviderNames, () => expect.any(String)),
    });
  });

  it('gives the credentials as they are after a rotation', async () => {
    const { sid } = service.credentials.site;
    const token = await service.tokenOf('merchant');
    const made = await service.call(`/api/v3/site/${sid}/rcode/rotate`, { token });
    const signing = await service.call(`/api/v3/site/${sid}/signing-secret/rotate`, { token });
    expect([made.status, signing.status]).toEqual([200, 200]);
    const { site, payment_site } = Object(await (await control('/credentials')).json());
    expect(site).toEqual({
      ...service.credentials.site,
      rcode: made.body['rcode'],
      signing_secret: signing.body['signing_secret'],
    });
    expect(payment_site).toEqual(service.credentials.payment_site);
    await service.restart();
    expect(service.credentials.site).toEqual(site);
  });

  it('tells the time, in seconds too as signatures have it', async () => {
    const before = Math.floor(service.clock.now().getTime() / 1000);
    const { now, seconds } = Object(await (await control('/clock')).json());
    expect(seconds).toBeGreaterThanOrEqual(before);
    expect(Math.floor(Date.parse(now) / 1000)).toBe(seconds);
  });

  it('redirects its root address to the dashboard', async () => {
    for (const method of ['GET', 'HEAD']) {
      const front = await fetch(service.url, { method, redirect: 'manual' });
      expect([front.status, front.headers.get('location')]).toEqual([302, '/dashboard']);
      expect(front.headers.get('x-content-type-options')).toBe('nosniff');
      expect(front.headers.get('strict-transport-security')).toMatch(/^max-age=/);
    }
    expect((await fetch(service.url)).headers.get('content-type')).toContain('text/html');
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

  it('lets a sink answer as configured, and then as usual', async () => {
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
