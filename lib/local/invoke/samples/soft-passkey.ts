import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

/** A device with one passkey, in software: it signs what the service asks for, as browsers and devices do (WebAuthn Level 3). */

type Options = { challenge: string; rpId?: string | undefined; rp?: { id: string } | undefined };

const digest = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest();

/** CBOR of what a credential consists of: maps, texts, bytes and small integers. */
const cbor = (value: unknown): Buffer => {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  if (!(value instanceof Map)) throw new Error('A credential cannot contain this value');
  return Buffer.concat([head(5, value.size), ...[...value].flat().map(cbor)]);
};

const head = (major: number, length: number): Buffer => {
  if (length < 24) return Buffer.from([(major << 5) | length]);
  if (length < 256) return Buffer.from([(major << 5) | 24, length]);
  return Buffer.from([(major << 5) | 25, length >> 8, length & 0xff]);
};

const userPresent = 1;
const userVerified = 4;
const hasCredential = 64;

/** A public key of the curve P-256 as authenticators state it (RFC 9052). */
const coseKey = (publicKey: KeyObject): Buffer => {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const coordinates = [x, y].map((text) => Buffer.from(text, 'base64url'));
  return cbor(
    new Map<number, unknown>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, coordinates[0]],
      [-3, coordinates[1]],
    ]),
  );
};

const toCredential = <R>(id: Buffer, response: R) => ({
  id: id.toString('base64url'),
  rawId: id.toString('base64url'),
  type: 'public-key',
  clientExtensionResults: {},
  response,
});

/** Returns the device's statement: the host, the flags, and the number of signatures. */
const deviceData = ({ rpId, rp }: Options, flags: number, counter: number): Buffer => {
  const count = Buffer.alloc(4);
  count.writeUInt32BE(counter);
  return Buffer.concat([digest(rpId ?? rp?.id ?? ''), Buffer.from([flags]), count]);
};

/** `origin`: of the page that asks. */
export const softPasskey = (origin: string) => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const id = randomBytes(16);
  let counter = 0;
  const clientData = (type: string, { challenge }: Options): Buffer =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  const nextData = (options: Options, flags: number): Buffer => {
    counter += 1;
    return deviceData(options, flags, counter);
  };
  return {
    id: id.toString('base64url'),
    /** Makes the passkey: what a browser answers to the options of a setup. */
    register: (options: Options) => {
      const flags = userPresent | userVerified | hasCredential;
      const length = Buffer.from([0, id.length]);
      const authData = Buffer.concat([nextData(options, flags), Buffer.alloc(16), length, id, coseKey(publicKey)]);
      const attestation = new Map<string, unknown>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', authData],
      ]);
      return toCredential(id, {
        clientDataJSON: clientData('webauthn.create', options).toString('base64url'),
        attestationObject: cbor(attestation).toString('base64url'),
        transports: ['internal'],
      });
    },
    /** Signs in: what a browser answers to the options of a sign-in. `isVerified`: whether the device has verified its user. */
    authenticate: (options: Options, isVerified = true) => {
      const data = nextData(options, userPresent | (isVerified ? userVerified : 0));
      const client = clientData('webauthn.get', options);
      return toCredential(id, {
        clientDataJSON: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: sign('sha256', Buffer.concat([data, digest(client)]), privateKey).toString('base64url'),
        userHandle: null,
      });
    },
  };
};
