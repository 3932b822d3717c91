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

const words: Readonly<Record<string, string>> = {
  OPEN: 'Open',
  WIP: 'In progress',
  OTHER: 'Other',
  RESOLVED: 'Resolved',
  DECLINED: 'Declined',
  RDR_DELETE: 'Decision deleted',
  REVOKED: 'Withdrawn',
  INFORM: 'For information',
  EXC: 'Failed',
  PEND: 'Pending',
  DISPUTE_RDR: 'Dispute (RDR)',
  provider_a: 'Provider A',
  provider_b: 'Provider B',
  rdr: 'RDR',
  VISA: 'Visa',
  MASTERCARD: 'Mastercard',
  AMEX: 'American Express',
  JCB: 'JCB',
  UNIONPAY: 'UnionPay',
};

/** A state as the service names it, in words for people. */
export const stateWords = (state: string): string => {
  const plain = state.toLowerCase().replaceAll('_', ' ');
  return words[state] ?? plain.charAt(0).toUpperCase() + plain.slice(1);
};

/** A state: its word, and a colour that says the same again. */
export const Badge = ({ state, tone, label }: { state: string; tone?: Tone; label?: string }) => (
  <span class={`badge ${tone ?? tones[state] ?? 'plain'}`}>{label ?? stateWords(state)}</span>
);
