import { equalSecrets, hmacSha256 } from './crypto.ts';

const toleranceSeconds = 300;

/**
 * Whether `t=<unix seconds>,v1=<hex HMAC-SHA256 of "t.body">` is right for the body, by any of the keys, and made within
 * five minutes of now. There may be several `v1`, as during a key rotation at the provider.
 */
export const isSignedBody = (
  header: string | undefined,
  body: string,
  keys: readonly string[],
  nowMilliseconds: number,
): boolean => {
  const fields = (header ?? '').split(',').map((field) => field.trim());
  const time = fields.find((field) => field.startsWith('t='))?.slice(2) ?? '';
  if (!/^\d{1,12}$/.test(time)) return false;
  if (Math.abs(nowMilliseconds / 1000 - Number(time)) > toleranceSeconds) return false;
  const signatures = fields.filter((field) => field.startsWith('v1=')).map((field) => field.slice(3).toLowerCase());
  return keys.some((key) => {
    const right = hmacSha256(key, `${time}.${body}`);
    return signatures.slice(0, 10).some((signature) => equalSecrets(signature, right));
  });
};
