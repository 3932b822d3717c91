import type { listAuthentications as ListOperation } from '../../../functions/threeds/list-authentications/operation.ts';
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

/** What it came to; while it came to nothing yet, where it is. */
export const OutcomeBadge = ({ outcome, status }: Pick<Row, 'outcome' | 'status'>) =>
  outcome === null ? <Badge state={status} /> : <Badge state={outcome} tone={tones[outcome]} />;

const meanings: Readonly<Record<string, string>> = {
  Y: 'Authenticated',
  A: 'Attempted',
  N: 'Not authenticated',
  U: 'Could not be said',
  R: 'Do not authorise',
  I: 'Acknowledged',
};
export const transStatusWords = (status: string | null): string =>
  status === null ? '–' : [status, meanings[status]].filter(Boolean).join(': ');
