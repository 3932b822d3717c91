import type { listAuthenticationsOperation as ListOperation } from '#payments/threeds/api/list-authentications/operation.ts';
import type { RowOf } from '../app/client.ts';
import { translate } from '../language/translate.ts';
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
  Y: translate('Authenticated'),
  A: translate('Attempted'),
  N: translate('Not authenticated'),
  U: translate('Could not be determined'),
  R: translate('Do not authorise'),
  I: translate('Acknowledged'),
};
/** Why an issuer said so, by EMV 3DS. */
const reasons: Readonly<Record<string, string>> = {
  '01': translate('card authentication failed'),
  '02': translate('unknown device'),
  '03': translate('unsupported device'),
  '04': translate('exceeds the authentication limit'),
  '05': translate('expired card'),
  '06': translate('invalid card number'),
  '07': translate('invalid transaction'),
  '08': translate('no card record'),
  '09': translate('security failure'),
  '10': translate('stolen card'),
  '11': translate('suspected fraud'),
  '12': translate('not permitted to the cardholder'),
  '13': translate('cardholder not enrolled'),
  '14': translate('timed out at the issuer'),
  '15': translate('low confidence'),
  '16': translate('medium confidence'),
  '17': translate('high confidence'),
  '18': translate('very high confidence'),
  '19': translate('exceeds the issuer’s maximum of challenges'),
  '22': translate('the issuer’s system has a problem'),
  '26': translate('attempted, not performed by the cardholder'),
};
const cancels: Readonly<Record<string, string>> = {
  '01': translate('by the payer'),
  '03': translate('timed out: decoupled authentication'),
  '04': translate('timed out at the issuer'),
  '05': translate('timed out: the first request never came'),
  '06': translate('after an error'),
  '08': translate('timed out in the app'),
};
const ways: Readonly<Record<string, string>> = {
  '01': translate('a static password'),
  '02': translate('a one-time code or the like'),
  '03': translate('out of band, such as in the bank’s app'),
  '04': translate('decoupled'),
};
/** A code in words; one without words as it is. */
const wordsBy =
  (meant: Readonly<Record<string, string>>) =>
  (code: string | null | undefined): string | null =>
    code ? (meant[code] ?? code) : null;
export const reasonWords = wordsBy(reasons);
export const cancelWords = wordsBy(cancels);
export const wayWords = wordsBy(ways);
export const transStatusWords = wordsBy(meanings);
