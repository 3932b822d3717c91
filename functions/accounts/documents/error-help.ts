import { type ErrorCode, gatewayRefusals, refusals } from '#core/platform/operation/errors.ts';

/** What callers should do about each code: for most, what their status says; for some, more. */

export type ExplainedCode = ErrorCode | keyof typeof gatewayRefusals;

const all: Readonly<Record<ExplainedCode, { status: number; msg: string }>> = { ...refusals, ...gatewayRefusals };

/** What to do about a status, for codes without a text of their own. */
const byStatus: Readonly<Record<number, string>> = {
  400: 'Correct the call: `details` names each field that is wrong, and why.',
  401: 'Sign in again and send the new token; at a payment site, check rcode, timestamp and hash.',
  403: 'This user may not do this: use another user, or ask for the role that `details` names.',
  404: 'Check the number: nothing has it, or it belongs to another merchant, which is answered the same way.',
  405: 'Use one of the methods that the header `allow` names.',
  409: 'It conflicts with the present state: read what the call is about, then decide again.',
  413: 'Send less in one call.',
  415: 'Send one of the content types that the operation’s description names.',
  429: 'Wait as long as the header `retry-after` says, or a minute where there is none.',
  500: 'Our fault. Retry with growing pauses; if it persists, give the operator the header `x-request-id`.',
  504: 'Our fault. The call may have taken effect: check first, or retry where the guide says that this is safe.',
};

const byCode: Partial<Record<ExplainedCode, string>> = {
  reason_code_invalid:
    'Use a code from the table in the guide “Answer an alert”: each belongs to a network and a status, and some need an amount or a comment.',
  unauthenticated:
    'Send `authorization: Bearer` followed by a token from POST /api/v2/index.php/gettoken, complete and on one line.',
  token_expired:
    'A token from gettoken expires after an hour. Request another; `details` says when this one expired and what time it is here.',
  token_revoked:
    'The token was revoked, or its user was disabled, changed their password or signed out. Sign in again; if that fails, ask whoever manages your users.',
  signature_invalid: 'Sign the exact bytes of the body, with the current secret and the current time.',
  signature_required:
    'Sign the body with the header `x-signature`, as the guide “Take payments” shows, or set `signature` to `optional` in the settings of the site.',
  hash_wrong:
    'Make the hash from the fields in the order that the guide “Take payments” gives, with the site’s rcode and the current timestamp.',
  rcode_wrong: 'Send the site’s rcode. After a rotation the previous one stays valid for 24 hours.',
  firewall:
    'Too many requests came from this address, or the request looked like an attack. Wait five minutes; then ask the operator.',
  route_not_found: 'Look at the path and the method: the document at /openapi.json has all of them.',
  changed_meanwhile: 'Somebody else changed it at the same moment. Send the same call again.',
  idempotency_key_in_use:
    'The first call with the key is in progress. Send the same call again after the seconds that the header `retry-after` names.',
  idempotency_key_reused: 'A key stands for one body. Send the first body again, or use another key.',
  tid_reused: 'A `tid` stands for one payment. Send the first body again, or use another `tid`.',
  refund_first:
    'Refund the payment with the alert’s refund operation, which also answers the alert. If it was refunded elsewhere, send `refunded_elsewhere` with the date.',
  tid_needed:
    'Two orders of the same amount and currency that are signed in one second have the same hash. Send a `tid` of its own with each, or sign this one with another timestamp.',
  alert_closed: 'The alert has its final answer, which the network may already have: no other is possible.',
};

/** The help for a code; undefined for a text that is not a code. */
export const explainCode = (
  code: string,
): { code: ExplainedCode; status: number; msg: string; help: string } | undefined => {
  if (!isCode(code)) return undefined;
  const { status, msg } = all[code];
  const help = byCode[code] ?? byStatus[status];
  if (help === undefined) throw new Error(`There is no help text for status ${status}, which ${code} has`);
  return { code, status, msg, help };
};

const isCode = (text: string): text is ExplainedCode => Object.hasOwn(all, text);

/** Every code that a caller can get. */
export const explainedCodes: readonly ExplainedCode[] = Object.keys(all).filter(isCode);
