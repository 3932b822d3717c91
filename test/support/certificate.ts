import { generateKeyPairSync, sign } from 'node:crypto';

/** One value in DER (X.690): tag, length, contents. */
const der = (tag: number, ...parts: readonly Uint8Array[]): Buffer => {
  const contents = Buffer.concat(parts);
  const size = contents.length;
  const length = size < 128 ? [size] : size < 256 ? [0x81, size] : [0x82, size >> 8, size & 255];
  return Buffer.concat([Buffer.from([tag, ...length]), contents]);
};

const sequence = (...parts: readonly Uint8Array[]) => der(0x30, ...parts);
const octets = (contents: Uint8Array) => der(0x04, contents);
const bits = (contents: Uint8Array) => der(0x03, Buffer.from([0]), contents);
const text = (tag: number, value: string) => der(tag, Buffer.from(value, 'latin1'));
const identifier = (hexadecimal: string) => der(0x06, Buffer.from(hexadecimal, 'hex'));

const commonName = identifier('550403');
const basicConstraints = identifier('551d13');
const subjectAlternativeName = identifier('551d11');
const ecdsaWithSha256 = sequence(identifier('2a8648ce3d040302'));

const derName = (value: string) => sequence(der(0x31, sequence(commonName, text(0x0c, value))));

export type Certificate = { cert: string; key: string };

/**
 * A self-signed certificate (RFC 5280, ECDSA on P-256) for a DNS name, with its key, both PEM. Written out by hand since
 * Node can sign but not issue, and a machine that runs the tests need not have openssl. `until` is YYYYMMDD.
 */
export const selfSigned = (hostname: string, until = '20991231'): Certificate => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = derName(`${hostname} for tests`);
  const extensions = sequence(
    sequence(basicConstraints, der(0x01, Buffer.from([255])), octets(sequence(der(0x01, Buffer.from([255]))))),
    sequence(subjectAlternativeName, octets(sequence(text(0x82, hostname)))),
  );
  const contents = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    ecdsaWithSha256,
    name,
    sequence(text(0x18, '20200101000000Z'), text(0x18, `${until}000000Z`)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, extensions),
  );
  const whole = sequence(contents, ecdsaWithSha256, bits(sign('sha256', contents, privateKey)));
  const lines = whole.toString('base64').match(/.{1,64}/g) ?? [];
  return {
    cert: ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n'),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
};
