import type { listAuthenticationsOperation as ListOperation } from '#payments/threeds/api/list-authentications/operation.ts';
import type { RowOf } from '../app/client.ts';
import { Badge, stateWords, type Tone } from '../parts/badge.tsx';

type Row = RowOf<typeof ListOperation>;

const tones: Readonly<Record<NonNullable<Row['outcome']>, Tone>> = {
  authenticated: 'good',
  attempted: 'good',
  informational: 'act',
  not_authenticated: 'bad',
  rejected: 'bad',
  unavailable: 'warn',
  canceled: 'plain',
  timed_out: 'plain',
};
export const outcomeChoices = Object.keys(tones).map((value) => ({ value, label: stateWords(value) }));

/** The result of an authentication or, before that, its state. */
export const OutcomeBadge = ({ outcome, status }: Pick<Row, 'outcome' | 'status'>) =>
  outcome === null ? <Badge state={status} /> : <Badge state={outcome} tone={tones[outcome]} />;

const meanings: Readonly<Record<string, string>> = {
  Y: 'Authenticated',
  A: 'Attempted',
  N: 'Not authenticated',
  U: 'Could not be determined',
  R: 'Do not authorise',
  I: 'Acknowledged',
};
/** Why an issuer said so, by EMV 3DS. */
const reasons: Readonly<Record<string, string>> = {
  '01': 'card authentication failed',
  '02': 'unknown device',
  '03': 'unsupported device',
  '04': 'exceeds the authentication limit',
  '05': 'expired card',
  '06': 'invalid card number',
  '07': 'invalid transaction',
  '08': 'no card record',
  '09': 'security failure',
  '10': 'stolen card',
  '11': 'suspected fraud',
  '12': 'not permitted to the cardholder',
  '13': 'cardholder not enrolled',
  '14': 'timed out at the issuer',
  '15': 'low confidence',
  '16': 'medium confidence',
  '17': 'high confidence',
  '18': 'very high confidence',
  '19': 'exceeds the issuer’s maximum of challenges',
  '22': 'the issuer’s system has a problem',
  '26': 'attempted, not performed by the cardholder',
};
const cancels: Readonly<Record<string, string>> = {
  '01': 'by the payer',
  '03': 'timed out: decoupled authentication',
  '04': 'timed out at the issuer',
  '05': 'timed out: the first request never came',
  '06': 'after an error',
  '08': 'timed out in the app',
};
const ways: Readonly<Record<string, string>> = {
  '01': 'a static password',
  '02': 'a one-time code or the like',
  '03': 'out of band, such as in the bank’s app',
  '04': 'decoupled',
};
const wordsBy =
  (meant: Readonly<Record<string, string>>) =>
  (code: string | null): string | null =>
    code === null ? null : meant[code] ? `${code}: ${meant[code]}` : code;
export const reasonWords = wordsBy(reasons);
export const cancelWords = wordsBy(cancels);
export const wayWords = wordsBy(ways);

export const transStatusWords = (status: string | null): string =>
  status === null ? '–' : [status, meanings[status]].filter(Boolean).join(': ');
