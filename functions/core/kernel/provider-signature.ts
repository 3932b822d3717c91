import { equalSecrets, hmacSha256 } from './crypto.ts';

const toleranceSeconds = 300;
const maxSignatures = 10;

const splitHeader = (header: string | undefined): string[] => (header ?? '').split(',').map((field) => field.trim());

/** The time of a signature, Unix seconds as it was sent; empty if there is none. */
export const timeOfSignature = (header: string | undefined): string =>
  splitHeader(header)
    .find((field) => field.startsWith('t='))
    ?.slice(2) ?? '';

/**
 * The key with which `t=<unix seconds>,v1=<hex HMAC-SHA256 of "t.body">` was made for the body, within five minutes of now; undefined if
 * none of the keys was. There may be several `v1`, as during a key rotation at the sender.
 */
export const signingKeyOf = (
  header: string | undefined,
  body: string | Uint8Array,
  keys: readonly string[],
  nowMilliseconds: number,
): string | undefined => {
  const time = timeOfSignature(header);
  if (!/^\d{1,12}$/.test(time)) return undefined;
  if (Math.abs(nowMilliseconds / 1000 - Number(time)) > toleranceSeconds) return undefined;
  const signatures = splitHeader(header)
    .filter((field) => field.startsWith('v1='))
    .map((field) => field.slice(3).toLowerCase())
    .slice(0, maxSignatures);
  return keys.find((key) => {
    const right = hmacSha256(key, Buffer.concat([Buffer.from(`${time}.`), Buffer.from(body)]));
    return signatures.some((signature) => equalSecrets(signature, right));
  });
};

export const isSignedBody = (...signed: Parameters<typeof signingKeyOf>): boolean =>
  signingKeyOf(...signed) !== undefined;
