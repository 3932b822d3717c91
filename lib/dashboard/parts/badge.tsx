import { stateWords } from './state-words.ts';

export { stateWords } from './state-words.ts';

export type Tone = 'plain' | 'good' | 'warn' | 'bad' | 'act';

const tones: Readonly<Record<string, Tone>> = {
  OPEN: 'act',
  WIP: 'warn',
  OTHER: 'warn',
  RESOLVED: 'good',
  DECLINED: 'plain',
  RDR_DELETE: 'plain',
  REVOKED: 'plain',
  INFORM: 'plain',
  PENDING: 'act',
  DELIVERED: 'good',
  EXPIRED: 'bad',
  CANCELLED: 'plain',
  OK: 'good',
  EXC: 'bad',
  PEND: 'warn',
  ENROLLED: 'good',
  FAILED: 'bad',
  UNENROLLED: 'plain',
  'PARTIALLY ENROLLED': 'warn',
  'WAITING FOR ACTION': 'warn',
  'WAITING FOR PROVIDER': 'act',
};

/** A state: its word, and a colour that says the same again. */
export const Badge = ({ state, tone, label }: { state: string; tone?: Tone; label?: string }) => (
  <span class={`badge ${tone ?? tones[state] ?? 'plain'}`}>{label ?? stateWords(state)}</span>
);
