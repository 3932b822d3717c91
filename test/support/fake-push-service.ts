import { createDecipheriv, createECDH, type ECDH, hkdfSync, randomBytes } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { importJWK, jwtVerify } from 'jose';

/** A browser's subscription: its keys, and the key of the one who may send to it. */
type Subscriber = { keys: ECDH; auth: Buffer; senderKey: string; hasEnded: boolean };

/** A message that was accepted, as the browser decrypts it. */
type PushedMessage = { device: string; content: Record<string, unknown>; headers: IncomingHttpHeaders; claims: object };

/** Decrypts a body of the coding aes128gcm, as RFC 8291 and RFC 8188 define it. Throws if it was not encrypted for these keys. */
const decrypt = (body: Buffer, { keys, auth }: Subscriber): string => {
  const salt = body.subarray(0, 16);
  const idLength = body.readUInt8(20);
  const sender = body.subarray(21, 21 + idLength);
  const shared = keys.computeSecret(sender);
  const derive = (key: Buffer, from: Buffer, info: Buffer, length: number) =>
    Buffer.from(hkdfSync('sha256', key, from, info, length));
  const keyInfo = Buffer.concat([Buffer.from('WebPush: info\0'), keys.getPublicKey(), sender]);
  const input = derive(shared, auth, keyInfo, 32);
  const key = derive(input, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16);
  const nonce = derive(input, salt, Buffer.from('Content-Encoding: nonce\0'), 12);
  const sealed = body.subarray(21 + idLength);
  const decipher = createDecipheriv('aes-128-gcm', key, nonce).setAuthTag(sealed.subarray(-16));
  const text = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]).toString();
  const end = text.lastIndexOf('\u0002');
  if (end === -1) throw new Error('The record is not the last one');
  return text.slice(0, end);
};

/** An uncompressed point of P-256 as a key. */
const toJwk = (point: string) => {
  const bytes = Buffer.from(point, 'base64url');
  const part = (from: number) => bytes.subarray(from, from + 32).toString('base64url');
  return { kty: 'EC', crv: 'P-256', x: part(1), y: part(33) };
};

/** Verifies a VAPID header (RFC 8292) of the sender with a public key. */
const verifySender = async (header: string, origin: string, senderKey: string): Promise<object> => {
  const [, token = '', given = ''] = /^vapid t=([\w.-]+), ?k=([\w-]+)$/.exec(header) ?? [];
  if (given !== senderKey) throw new Error('Another key than that of the subscription');
  const key = await importJWK(toJwk(given), 'ES256');
  const { payload } = await jwtVerify(token, key, { audience: origin, algorithms: ['ES256'] });
  if (!payload.sub?.startsWith('mailto:') || (payload.exp ?? 0) > Date.now() / 1000 + 86_400)
    throw new Error('Wrong claims');
  return payload;
};

/** A push service (RFC 8030) whose browsers are here too: it accepts what is signed by the right key and what a browser can decrypt. */
export const startPushService = async () => {
  const subscribers = new Map<string, Subscriber>();
  const messages: PushedMessage[] = [];
  const refusals: string[] = [];
  const waiting = new Set<() => void>();
  let status: number | undefined;
  const accept = async (device: string, headers: IncomingHttpHeaders, body: Buffer): Promise<number> => {
    const subscriber = subscribers.get(device);
    if (!subscriber || subscriber.hasEnded) return 410;
    if (status !== undefined) return status;
    try {
      const claims = await verifySender(String(headers.authorization), url, subscriber.senderKey);
      messages.push({ device, content: JSON.parse(decrypt(body, subscriber)), headers, claims });
      return 201;
    } catch (error) {
      refusals.push(String(error));
      return 403;
    }
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', async () => {
      const device = String(request.url).slice('/push/'.length);
      const given = await accept(device, request.headers, Buffer.concat(chunks));
      response.writeHead(given).end();
      for (const check of waiting) check();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    messages,
    refusals,
    /** Subscribes a browser that takes messages of the sender with this key. */
    subscribe: (senderKey: string) => {
      const device = randomBytes(9).toString('base64url');
      const keys = createECDH('prime256v1');
      keys.generateKeys();
      const auth = randomBytes(16);
      subscribers.set(device, { keys, auth, senderKey, hasEnded: false });
      return {
        device,
        endpoint: `${url}/push/${device}`,
        p256dh: keys.getPublicKey('base64url'),
        auth: auth.toString('base64url'),
      };
    },
    /** Ends a subscription, as a browser does that forgets it. */
    end: (device: string) => {
      const subscriber = subscribers.get(device);
      if (subscriber) subscriber.hasEnded = true;
    },
    /** Answers every message with a status; undefined: as usual. */
    answerWith: (next: number | undefined) => {
      status = next;
    },
    /** The contents that browsers show: the last of all messages with one topic. */
    shown: () => [
      ...new Map(messages.map((one) => [`${one.device} ${String(one.headers['topic'])}`, one.content])).values(),
    ],
    /** Resolves once a condition is true, which is checked after each message. */
    until: (condition: () => boolean) =>
      new Promise<void>((resolve) => {
        const check = () => {
          if (!condition()) return;
          waiting.delete(check);
          resolve();
        };
        waiting.add(check);
        check();
      }),
    stop: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
};
