import { type ErrorCode, gatewayRefusals, refusals } from '../core/errors.ts';

/** What each code means to whoever gets it: of most, what their status means; of some, more. */

export type ExplainedCode = ErrorCode | keyof typeof gatewayRefusals;

const all: Readonly<Record<ExplainedCode, { status: number; msg: string }>> = { ...refusals, ...gatewayRefusals };

/** What to do about a status, for codes that say no more. */
const byStatus: Readonly<Record<number, string>> = {
  400: 'Change the call: `details` names each field that is wrong, and why.',
  401: 'Sign in again and send the new token; at a payment site, look at rcode, timestamp and hash.',
  403: 'This user may not do this: use another user, or ask for the role that `details` names.',
  404: 'Look at the number: there is no such thing, or it is another merchant’s, which is answered alike.',
  405: 'Call the path with a method that the header `allow` names.',
  409: 'It is not possible as things are now: read what the call is about, and decide anew.',
  413: 'Send less at once.',
  415: 'Send one of the content types that the operation’s description names.',
  429: 'Wait as long as the header `retry-after` says, or a minute where there is none.',
  500: 'Our fault. Send it again, with pauses that grow; if it stays so, give the operator the header `x-request-id`.',
  504: 'Our fault. It may have been done: look first, or send it again where the guide says that this is safe.',
};

const byCode: Partial<Record<ExplainedCode, string>> = {
  reason_code_invalid:
    'Take a code of the table in the guide “Answer an alert”: each belongs to a network and to a status, and some need an amount or a comment.',
  unauthenticated:
    'Send `authorization: Bearer` and a token that POST /api/v2/index.php/gettoken answered, whole and in one line.',
  token_expired:
    'A token of gettoken expires after an hour. Ask for another one; `details` says when this one expired and what time it is here.',
  token_revoked:
    'The token was revoked, or its user was disabled, got another password or signed out. Sign in again; if that fails, ask who looks after your users.',
  signature_invalid: 'Sign the bytes of the body as they are sent, with the secret in force, and a timestamp of now.',
  hash_wrong:
    'Make the hash of the fields in the order that the guide “Take payments” gives, with the site’s rcode, and a timestamp of this minute. A hash is good for one order.',
  rcode_wrong: 'Send the site’s rcode. After a rotation the one before is good for 24 hours.',
  firewall:
    'Too much came from this address, or the request looked like an attack. Wait five minutes; then ask the operator.',
  route_not_found: 'Look at the path and the method: the document at /openapi.json has all of them.',
  changed_meanwhile: 'Somebody else wrote at the same moment. Send the same call again.',
  idempotency_key_reused: 'A key stands for one body. Send the first body with it, or take another key.',
  tid_reused: 'A `tid` stands for one payment. Send the first body with it, or take another one.',
  alert_closed:
    'The alert has its final answer, which the network may have been told: another one is no longer possible.',
};

/** What is to be said of a code; undefined for a text that is none. */
export const explained = (
  code: string,
): { code: ExplainedCode; status: number; msg: string; help: string } | undefined => {
  if (!isCode(code)) return undefined;
  const { status, msg } = all[code];
  const help = byCode[code] ?? byStatus[status];
  if (help === undefined) throw new Error(`Nobody has said what to do about ${status}, which ${code} has`);
  return { code, status, msg, help };
};

const isCode = (text: string): text is ExplainedCode => Object.hasOwn(all, text);

/** Every code that a caller can get. */
export const explainedCodes: readonly ExplainedCode[] = Object.keys(all).filter(isCode);
