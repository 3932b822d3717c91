import { hmacSha256, type KeyRing } from './crypto.ts';
import { purposeKey } from './key-ring.ts';

/** A keyed digest: only a holder of the key can make it from a text. */
const sealText = (ring: KeyRing, name: string, content: string): string | undefined => {
  const key = purposeKey(ring, name, 'order');
  return key && `${name}.${hmacSha256(key, content)}`;
};

/** The digest kept of an order's content, to detect a `tid` that is used again with other content. Keyed, as the content includes a card number. */
export const digestContent = (ring: KeyRing, content: string): string => sealText(ring, ring.current, content) ?? '';

/** Checks whether a digest was made from this content, with whichever key was current then. */
export const isDigestOf = (ring: KeyRing, digest: string, content: string): boolean => {
  const name = digest.split('.')[0] ?? '';
  return digest === sealText(ring, name, content);
};

const leftOut = new Set(['hash', 'timestamp', 'card_ccv']);

/** A body, without hash, timestamp and CVV, as text that does not depend on the order of its fields. */
export const contentWriter = (operation: string, body: Readonly<Record<string, unknown>>) => (): string =>
  JSON.stringify([
    operation,
    ...Object.entries(body)
      .filter(([name]) => !leftOut.has(name))
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  ]);
