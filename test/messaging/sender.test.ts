import { type LookupFunction, Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import tls, { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createSender, type Sender, type SenderSettings } from '#core/platform/post/sender.ts';
import { isAttemptAccepted } from '#messaging/webhooks/attempt/attempt.ts';
import { selfSigned } from '#test/support/certificate.ts';
import {
  type Behaviour,
  breakOffWithinReply,
  drip,
  dripHead,
  floodProvisional,
  frameTwice,
  notPublicAddresses,
  notPublicHosts,
  pourEndlessBody,
  pourHeaders,
  replyTwice,
  resetBeforeReply,
  respond,
  sendBrokenChunk,
  sendGarbage,
  sendGzipBomb,
  sendHugeHeader,
  startReceiver,
  staySilent,
  switchProtocols,
} from '#test/support/hostile-receiver.ts';
import { patiently } from '#test/support/wait-options.ts';

const timeoutMilliseconds = 300;
const senders: Sender[] = [];
const sender = (settings: Partial<SenderSettings> = {}): Sender => {
  const made = createSender({ allowLoopbackHttp: true, extraPorts: [], timeoutMilliseconds, ...settings });
  senders.push(made);
  return made;
};
const request = (url: string, headers: Record<string, string> = {}) => ({ url, headers, body: 'alert_id=1' });

/** For behaviours that take no time of their own: the deadline is out of the way of a busy machine. */
const unhurried = { timeoutMilliseconds: 10_000 };

const postTo = async (behave: Behaviour, settings: Partial<SenderSettings> = unhurried) => {
  await using receiver = await startReceiver(behave);
  const attempt = await sender(settings).post(request(receiver.url));
  return { attempt, requests: receiver.requests, connections: receiver.connections() };
};

afterEach(async () => {
  vi.restoreAllMocks();
  await Promise.all(senders.splice(0).map((made) => made.close()));
});

describe('a notification', () => {
  it('is posted as it is, asking for an uncompressed reply', async () => {
    await using receiver = await startReceiver(respond(200, 'thanks'));
    const headers = { 'content-type': 'text/plain', accept: 'application/json', 'webhook-id': 'd1' };
    const body = 'Ü&=+';
    const attempt = await sender(unhurried).post({ url: `${receiver.url}?a=b%20c#never`, headers, body });
    expect(attempt).toMatchObject({ status: 200, error: null, response: 'thanks', responseTruncated: false });
    expect(isAttemptAccepted(attempt)).toBe(true);
    expect(receiver.requests).toMatchObject([
      { method: 'POST', path: '/hook?a=b%20c', body, headers: { ...headers, 'accept-encoding': 'identity' } },
    ]);
  });

  it.each([200, 201, 202, 204, 299])('is delivered by a %i', async (status) => {
    const { attempt } = await postTo(respond(status));
    expect(attempt).toMatchObject({ status, error: null });
    expect(isAttemptAccepted(attempt)).toBe(true);
  });

  it.each([400, 401, 404, 410, 418, 429, 500, 503, 599])(
    'is not delivered by a %i, whose reply is kept',
    async (status) => {
      const { attempt } = await postTo(respond(status, 'go away', { 'content-type': 'text/plain' }));
      expect(attempt).toMatchObject({ status, error: null, response: 'go away' });
      expect(isAttemptAccepted(attempt)).toBe(false);
    },
  );

  it.each([300, 301, 302, 303, 304, 307, 308])('is not delivered by a %i, which is not followed', async (status) => {
    await using elsewhere = await startReceiver(respond(200));
    const { attempt, requests } = await postTo(respond(status, '', { location: elsewhere.url }));
    expect(attempt).toMatchObject({ status, error: 'redirect' });
    expect(isAttemptAccepted(attempt)).toBe(false);
    expect(requests).toHaveLength(1);
    expect(elsewhere.connections()).toBe(0);
  });

  it('cannot be sent with a header that would end early, and reaches no server', async () => {
    await using receiver = await startReceiver(respond(200));
    const attempt = await sender().post(request(receiver.url, { authorization: 'Bearer a\r\nx-injected: 1' }));
    expect(attempt).toMatchObject({ status: null, error: 'request_invalid' });
    expect(receiver.requests).toEqual([]);
  });
});

describe('the reply that is kept', () => {
  it('is whole at 16 KiB, and cut off beyond without failing', async () => {
    const whole = await postTo(respond(200, 'x'.repeat(16_384)));
    expect(whole.attempt).toMatchObject({ error: null, response: 'x'.repeat(16_384), responseTruncated: false });
    const cut = await postTo(respond(200, 'x'.repeat(16_385)));
    expect(cut.attempt).toMatchObject({ error: null, response: 'x'.repeat(16_384), responseTruncated: true });
  });

  it('ends between characters when it is cut off', async () => {
    const { attempt } = await postTo(respond(200, `x${'ü'.repeat(10_000)}`));
    expect(attempt.response).toBe(`x${'ü'.repeat(8191)}`);
  });

  it('has no control characters but line ends and tabs', async () => {
    const { attempt } = await postTo(respond(200, 'a\u0000b\u001b[31mc\u007f\u0085\td\r\ne'));
    expect(attempt.response).toBe('ab[31mc\td\r\ne');
  });

  it('reads what is not UTF-8 as windows-1252, and still takes at most 16 KiB to store', async () => {
    const short = await postTo(respond(200, Buffer.from([0x61, 0xff, 0xfe, 0x62])));
    expect(short.attempt).toMatchObject({ response: 'aÿþb', responseTruncated: false });
    const long = await postTo(respond(200, Buffer.alloc(16_384, 0xff)));
    expect(Buffer.byteLength(long.attempt.response)).toBeLessThanOrEqual(16_384);
    expect(long.attempt.responseTruncated).toBe(true);
  });
});

describe('an encoded reply', () => {
  const text = JSON.stringify({ status: 'RESOLVED', comments: 'Crédit' });
  it.each<[string, Buffer, string]>([
    ['gzip', gzipSync(text), 'application/json'],
    ['br', brotliCompressSync(text), 'application/json'],
    ['deflate', deflateSync(text), 'application/json'],
    ['deflate', deflateRawSync(text), 'application/json'],
    ['gzip, br', brotliCompressSync(gzipSync(text)), 'application/json'],
    ['', Buffer.from(text, 'latin1'), 'application/json; charset=ISO-8859-1'],
    ['', Buffer.from(`\ufeff${text}`, 'utf16le'), 'application/json'],
    ['', Buffer.from(text, 'utf16le'), 'application/json'],
  ])('is decoded from %s (%#)', async (encoding, body, type) => {
    const { attempt } = await postTo(
      respond(200, body, { 'content-type': type, ...(encoding && { 'content-encoding': encoding }) }),
    );
    expect(attempt).toMatchObject({ response: text, responseTruncated: false });
    expect(attempt.undecoded).toBeUndefined();
  });

  it.each<[string, Buffer]>([
    ['gzip', Buffer.from('no gzip')],
    ['compress', Buffer.from(text)],
    ['gzip', gzipSync(Buffer.alloc(10_000_000))],
  ])('is named if it cannot be decoded from %s (%#)', async (encoding, body) => {
    const { attempt } = await postTo(respond(200, body, { 'content-encoding': encoding }));
    expect(attempt).toMatchObject({ status: 200, error: null, response: '', undecoded: encoding });
  });
});

describe('a hostile receiver', () => {
  it('that pours a body without end gets 16 KiB read, then loses its connection', async () => {
    await using receiver = await startReceiver(pourEndlessBody);
    const attempt = await sender(unhurried).post(request(receiver.url));
    expect(attempt).toMatchObject({ status: 200, error: null, responseTruncated: true, response: 'x'.repeat(16_384) });
    expect(isAttemptAccepted(attempt)).toBe(true);
    await vi.waitFor(() => expect(receiver.openConnections()).toBe(0), patiently);
  });

  it('that sends a gzip bomb is never inflated', async () => {
    const { attempt } = await postTo(sendGzipBomb);
    expect(attempt).toMatchObject({ status: 200, error: null, response: '', responseTruncated: true });
  });

  it.each([
    ['never answers', staySilent, null],
    ['drips its head', dripHead(10), null],
    ['drips its body', drip(10), 200],
    ['floods with provisional replies', floodProvisional, null],
  ])('that %s is given up at the deadline', async (_what, behave, status) => {
    await using receiver = await startReceiver(behave);
    const attempt = await sender().post(request(receiver.url));
    expect(attempt).toMatchObject({ status, error: 'timeout' });
    expect(isAttemptAccepted(attempt)).toBe(false);
    expect(attempt.latencyMilliseconds).toBeGreaterThanOrEqual(timeoutMilliseconds - 5);
    await vi.waitFor(() => expect(receiver.openConnections()).toBe(0), patiently);
  });

  it('that drips leaves what came, marked as not whole', async () => {
    const { attempt } = await postTo(drip(10), {});
    expect(attempt.response).toMatch(/^\.+$/);
    expect(attempt.responseTruncated).toBe(true);
  });

  it('that resets before it replies has not got the notification', async () => {
    const { attempt, requests } = await postTo(resetBeforeReply);
    expect(attempt).toMatchObject({ status: null, error: 'reset', response: '' });
    expect(requests).toHaveLength(1);
  });

  it.each([
    ['reset', 'content-length: 100'],
    ['reset', 'transfer-encoding: chunked'],
    ['close', 'content-length: 100'],
    ['close', 'transfer-encoding: chunked'],
  ] as const)('that breaks off within its reply (%s, %s) has failed in spite of its 200', async (how, framing) => {
    const { attempt, requests } = await postTo(breakOffWithinReply(how, framing));
    expect(attempt).toMatchObject({ status: 200, error: 'reset' });
    expect(isAttemptAccepted(attempt)).toBe(false);
    expect(requests).toHaveLength(1);
  });

  it.each([
    ['speaks something else', sendGarbage],
    ['sends a header of 64 KiB', sendHugeHeader(65_536)],
    ['sends headers without end', pourHeaders],
    ['changes the protocol', switchProtocols],
    ['frames its reply in two ways at once', frameTwice],
  ])('that %s is told apart from HTTP', async (_what, behave) => {
    await using receiver = await startReceiver(behave);
    expect(await sender(unhurried).post(request(receiver.url))).toMatchObject({ status: null, error: 'protocol' });
    await vi.waitFor(() => expect(receiver.openConnections()).toBe(0), patiently);
  });

  it('that sends nonsense for a chunk has failed in spite of its 200', async () => {
    const { attempt } = await postTo(sendBrokenChunk);
    expect(attempt).toMatchObject({ status: 200, error: 'protocol', responseTruncated: true });
    expect(isAttemptAccepted(attempt)).toBe(false);
  });

  it('that goes on after its reply cannot answer the next notification', async () => {
    await using receiver = await startReceiver(replyTwice);
    const client = sender(unhurried);
    for (let count = 0; count < 3; count += 1) {
      await client.post(request(receiver.url));
      await nextTurn();
    }
    const attempt = await client.post(request(receiver.url));
    expect(attempt.response).not.toBe('smuggled');
  });

  it('cannot slow down the others of its batch', async () => {
    await using silent = await startReceiver(staySilent);
    await using good = await startReceiver(respond(200));
    const client = sender({ timeoutMilliseconds: 1500 });
    const stuck = Promise.all(Array.from({ length: 9 }, () => client.post(request(silent.url))));
    const attempt = await client.post(request(good.url));
    expect(isAttemptAccepted(attempt)).toBe(true);
    expect(attempt.latencyMilliseconds).toBeLessThan(1400);
    expect((await stuck).map(({ error }) => error)).toEqual(Array.from({ length: 9 }, () => 'timeout'));
  });

  it('that is not there at all cannot be connected to', async () => {
    const receiver = await startReceiver(respond(200));
    await receiver[Symbol.asyncDispose]();
    expect(await sender(unhurried).post(request(receiver.url))).toMatchObject({ status: null, error: 'connect' });
  });
});

describe('connections', () => {
  it('are kept for the next notification to the same origin', async () => {
    await using receiver = await startReceiver(respond(200, 'ok'));
    const client = sender(unhurried);
    for (let count = 0; count < 5; count += 1) {
      await client.post(request(receiver.url));
      // The pool takes a connection back at the end of the turn in which the reply ended.
      await nextTurn();
    }
    expect(receiver.requests).toHaveLength(5);
    expect(receiver.connections()).toBe(1);
  });

  it('are ten at most to one origin, however much is due', async () => {
    await using receiver = await startReceiver(respond(200, 'ok'));
    const client = sender(unhurried);
    const attempts = await Promise.all(Array.from({ length: 50 }, () => client.post(request(receiver.url))));
    expect(attempts.every(isAttemptAccepted)).toBe(true);
    expect(receiver.connections()).toBeLessThanOrEqual(10);
  });

  it('are not trusted after a pause, in which the other end may have gone unnoticed', async () => {
    await using receiver = await startReceiver(respond(200, 'ok'));
    const client = sender(unhurried);
    await client.post(request(receiver.url));
    const time = performance.now();
    vi.spyOn(performance, 'now').mockReturnValue(time + 60_000);
    expect(isAttemptAccepted(await client.post(request(receiver.url)))).toBe(true);
    expect(receiver.connections()).toBe(2);
  });

  it('are all closed with the sender', async () => {
    await using receiver = await startReceiver(respond(200, 'ok'));
    const client = sender(unhurried);
    await client.post(request(receiver.url));
    expect(receiver.openConnections()).toBe(1);
    await client.close();
    await vi.waitFor(() => expect(receiver.openConnections()).toBe(0), patiently);
  });
});

describe('an address that is not public', () => {
  const deployed = (settings: Partial<SenderSettings> = {}) => sender({ allowLoopbackHttp: false, ...settings });

  it.each(notPublicHosts)('is not called as the host %s', async (host) => {
    const lookup = vi.fn(async () => ['93.184.216.34']);
    const attempt = await deployed({ lookup }).post(request(`https://${host}:8443/`));
    expect(attempt).toMatchObject({ status: null, response: '' });
    expect(attempt.error).toMatch(/^(?:address|url)_refused$/);
    expect(lookup).not.toHaveBeenCalled();
  });

  it.each(notPublicAddresses)('is not called when a name resolves to %s', async (address) => {
    const client = deployed({ lookup: async () => [address] });
    expect(await client.post(request('https://merchant.example/'))).toMatchObject({
      status: null,
      error: 'address_refused',
    });
  });

  it.each([
    [['93.184.216.34', '127.0.0.1']],
    [['127.0.0.1', '93.184.216.34']],
    [['2606:4700:4700::1111', '93.184.216.34', '::ffff:10.0.0.1']],
    [['93.184.216.34', 'not an address']],
  ])('spoils the whole name: %j', async (addresses) => {
    const client = deployed({ lookup: async () => addresses });
    expect(await client.post(request('https://merchant.example/'))).toMatchObject({
      status: null,
      error: 'address_refused',
    });
  });

  it('is not reached by a name that had a public one when its URL was saved', async () => {
    await using receiver = await startReceiver(respond(200), selfSigned('rebind.example'));
    const client = deployed({ lookup: async () => ['127.0.0.1'], extraPorts: [receiver.port] });
    const attempt = await client.post(request(`https://rebind.example:${receiver.port}/`));
    expect(attempt).toMatchObject({ status: null, error: 'address_refused' });
    expect(receiver.connections()).toBe(0);
  });

  it('is not reached by a name whose answer changes between check and connect: what was checked is what is used', async () => {
    const answers = [['93.184.216.34', '2606:4700:4700::1111'], ['127.0.0.1']];
    const lookup = vi.fn(async () => answers.shift() ?? ['127.0.0.1']);
    const used: unknown[] = [];
    // Replaces the function that opens the connection, and asks for the addresses as node:net does.
    const connect = (options: { host: string; lookup: LookupFunction }) => {
      const socket = new Socket();
      options.lookup(options.host, { all: true }, (error, addresses) => {
        used.push(error ?? addresses);
        socket.destroy(error ?? Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }));
      });
      return socket;
    };
    vi.spyOn(tls, 'connect').mockImplementation(connect as typeof tls.connect);
    const client = deployed({ lookup });
    expect(await client.post(request('https://rebind.example/'))).toMatchObject({ error: 'connect' });
    expect(lookup.mock.calls).toEqual([['rebind.example']]);
    expect(used).toEqual([
      [
        { address: '93.184.216.34', family: 4 },
        { address: '2606:4700:4700::1111', family: 6 },
      ],
    ]);
    expect(await client.post(request('https://rebind.example/'))).toMatchObject({ error: 'address_refused' });
  });

  it('is not called over http although the local setting is on', async () => {
    const lookup = vi.fn(async () => ['127.0.0.1']);
    const client = sender({ lookup });
    for (const url of ['http://merchant.example/', 'http://10.0.0.1/', 'http://169.254.169.254/latest/meta-data/']) {
      expect(await client.post(request(url))).toMatchObject({ status: null, error: 'url_refused' });
    }
    expect(lookup).not.toHaveBeenCalled();
  });

  it('is not reached through a public name although the local setting is on', async () => {
    for (const address of ['127.0.0.1', '::1', '10.0.0.1']) {
      const client = sender({ lookup: async () => [address] });
      expect(await client.post(request('https://merchant.example/'))).toMatchObject({ error: 'address_refused' });
    }
  });
});

describe('a name', () => {
  it('that means this machine is not asked of anybody', async () => {
    await using receiver = await startReceiver(respond(200));
    const lookup = vi.fn(async () => ['93.184.216.34']);
    const attempt = await sender({ ...unhurried, lookup }).post(request(`http://shop.localhost:${receiver.port}/`));
    expect(isAttemptAccepted(attempt)).toBe(true);
    expect(lookup).not.toHaveBeenCalled();
  });

  it.each([
    ['has no address', async () => []],
    ['cannot be resolved', async () => Promise.reject(new Error('SERVFAIL'))],
  ])('that %s is a failure of its own kind', async (_what, lookup: () => Promise<string[]>) => {
    expect(await sender({ lookup }).post(request('https://merchant.example/'))).toMatchObject({
      status: null,
      error: 'dns',
    });
  });

  it('that is never resolved is given up at the deadline, as part of it', async () => {
    const lookup = () => Promise.withResolvers<string[]>().promise;
    const attempt = await sender({ lookup }).post(request('https://merchant.example/'));
    expect(attempt).toMatchObject({ status: null, error: 'timeout' });
  });
});

describe('over TLS', () => {
  const before = getCACertificates('default');
  const good = selfSigned('localhost');
  const forAnother = selfSigned('merchant.example');
  const expired = selfSigned('localhost', '20210101');
  beforeAll(() => setDefaultCACertificates([...before, good.cert, forAnother.cert, expired.cert]));
  afterAll(() => setDefaultCACertificates(before));

  it('accepts a certificate that a trusted authority issued for the host', async () => {
    await using receiver = await startReceiver(respond(200, 'ok'), good);
    const client = sender(unhurried);
    for (let count = 0; count < 3; count += 1) {
      expect(await client.post(request(receiver.url))).toMatchObject({ status: 200, error: null, response: 'ok' });
      await nextTurn();
    }
    expect(receiver.connections()).toBe(1);
  });

  it.each([
    ['nobody trusts', selfSigned('localhost')],
    ['is for another host', forAnother],
    ['has expired', expired],
  ])('a certificate that %s ends it before anything is sent', async (_what, certificate) => {
    await using receiver = await startReceiver(respond(200), certificate);
    expect(await sender(unhurried).post(request(receiver.url))).toMatchObject({ status: null, error: 'tls' });
    expect(receiver.requests).toEqual([]);
  });

  it('a receiver that does not speak it has a bad connection, not a bad reply', async () => {
    await using receiver = await startReceiver(sendGarbage);
    // It answers only to a whole request, which a handshake never is.
    const attempt = await sender().post(request(`https://localhost:${receiver.port}/`));
    expect(attempt).toMatchObject({ status: null, error: 'timeout' });
    expect(receiver.requests).toEqual([]);
  });
});
