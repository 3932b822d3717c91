import * as v from 'valibot';
import { Text } from '#core/kernel/schema/text.ts';

/** The token that the device snippet of `lib/sdk/device` makes in the payer's browser. It is no proof by itself: a payer can send what they like. Pure. */

const Body = v.object({
  i: v.nullable(v.pipe(v.string(), v.regex(/^[\da-f-]{36}$/))),
  f: v.nullable(v.pipe(v.string(), v.regex(/^[\da-f]{64}$/))),
  // A payer may put anything there: what is no plain line without a card number is left out.
  u: v.fallback(Text(500), ''),
  r: v.exactOptional(v.pipe(v.string(), v.maxLength(65))),
});

/** FNV-1a, as the snippet computes it. */
const checksum = (text: string): string => {
  let sum = 0x811c9dc5;
  for (const letter of text) sum = Math.imul(sum ^ letter.charCodeAt(0), 0x01000193) >>> 0;
  return sum.toString(16).padStart(8, '0');
};

const parse = (text: string): unknown => {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
};

type DeviceFields = { device_id?: string; device_fingerprint?: string; user_agent?: string };

/** The device of a token, or what is wrong with it. `reference`: of the order, whose token must be of no other; null: not known. */
export const readDeviceToken = (token: string, reference: string | null): DeviceFields | string => {
  const [, body = '', sum] = /^fwd1\.([\w-]{1,2000})\.([\da-f]{8})$/.exec(token) ?? [];
  if (checksum(body) !== sum) return 'is no whole token of the device snippet';
  const { success, output } = v.safeParse(Body, parse(body));
  if (!success) return 'is no token of the device snippet';
  const { i, f, u, r } = output;
  if (r !== undefined && reference !== null && r !== reference) return 'is of another order';
  return { ...(i && { device_id: i }), ...(f && { device_fingerprint: f }), ...(u && { user_agent: u }) };
};

/** The name under which shops keep the token with an order. */
export const deviceTokenName = '_forewarn_device';

/** The device of a token that came with an order or a payment; nothing if there is none, or it is damaged. */
export const deviceFromToken = (token: unknown, reference: string | null): DeviceFields => {
  const read = typeof token === 'string' ? readDeviceToken(token, reference) : '';
  return typeof read === 'string' ? {} : read;
};
