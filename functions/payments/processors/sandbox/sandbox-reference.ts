import { equalSecrets, hmacSha256, type KeyRing, sha256 } from '#core/kernel/crypto.ts';
import { randomText } from '#core/kernel/ids.ts';
import { purposeKey, purposeKeys } from '#core/kernel/key-ring.ts';

/**
 * References of the sandbox carry what they are about and are signed, so that a payment which simply succeeds needs no row:
 * a later capture or refund finds everything it needs in the reference.
 *
 * `sbx_<id>.<pay|payout>.<minor>.<currency>.<c|a>.<begun>.<mac>` and `sbx_<id>.<capture|void|refund>.<operation>.<mac>`
 */

export type PaymentReference = {
  kind: 'pay' | 'payout';
  id: string;
  minor: bigint;
  currency: string;
  /** False: only authorised. */
  capture: boolean;
  /** Milliseconds since 1970. */
  begunAt: number;
};
export type FollowUpReference = { kind: 'capture' | 'void' | 'refund'; id: string; operation: string };
export type SandboxReference = PaymentReference | FollowUpReference;

const idCharacters = 32;
const operationCharacters = 16;
const macCharacters = 32;

/** The identifier of an idempotency key: the same at every try, but different at every site. */
export const paymentId = (sid: number, idempotencyKey: string): string =>
  sha256(`sandbox:${sid}:${idempotencyKey}`).slice(0, idCharacters);
/** With a letter before the digits, as some would look like a card number otherwise. */
export const operationMark = (idempotencyKey: string): string =>
  `o${sha256(`operation:${idempotencyKey}`).slice(0, operationCharacters)}`;

const secretCharacters = 20;
/** The end of a hosted page's address: the payment's identifier and the page's secret. */
export const newPageSecret = (): string => randomText(secretCharacters);
export const isPageId = (text: string): boolean => /^[0-9a-f]{32}[0-9a-z]{20}$/.test(text);
export const paymentIdOfPage = (pageId: string): string => pageId.slice(0, idCharacters);

const signText = (key: string | Uint8Array, sid: number, text: string): string =>
  hmacSha256(key, `${sid}:${text}`).slice(0, macCharacters);

const spellMark = (reference: SandboxReference): string => {
  if ('operation' in reference) return `sbx_${reference.id}.${reference.kind}.${reference.operation}`;
  const { id, kind, minor, currency, capture, begunAt } = reference;
  return `sbx_${id}.${kind}.${minor}.${currency}.${capture ? 'c' : 'a'}.${begunAt.toString(36)}`;
};

/** Writes a reference; signed for one site, so that another's is of no use. */
export const writeReference = (ring: KeyRing, sid: number, reference: SandboxReference): string => {
  const text = spellMark(reference);
  return `${text}.${signText(purposeKey(ring, ring.current, 'sandbox') ?? '', sid, text)}`;
};

const paymentPattern = /^sbx_([0-9a-f]{32})\.(pay|payout)\.(\d{1,19})\.([A-Z]{3})\.([ca])\.([0-9a-z]{1,10})$/;
const followUpPattern = /^sbx_([0-9a-f]{32})\.(capture|void|refund)\.(o[0-9a-f]{16})$/;

/** Reads a reference back; undefined for one that the sandbox did not write for this site. */
export const readReference = (ring: KeyRing, sid: number, written: string): SandboxReference | undefined => {
  const end = written.lastIndexOf('.');
  const [text, mac] = [written.slice(0, end), written.slice(end + 1)];
  if (!purposeKeys(ring, 'sandbox').some((key) => equalSecrets(mac, signText(key, sid, text)))) return undefined;
  const followUp = followUpPattern.exec(text);
  if (followUp) {
    const [, id = '', kind, operation = ''] = followUp;
    return { kind: kind as FollowUpReference['kind'], id, operation };
  }
  const payment = paymentPattern.exec(text);
  if (!payment) return undefined;
  const [, id = '', kind, minor = '', currency = '', flag, begun = ''] = payment;
  const begunAt = Number.parseInt(begun, 36);
  return { kind: kind as PaymentReference['kind'], id, minor: BigInt(minor), currency, capture: flag === 'c', begunAt };
};
