import { translate, translateState } from '../language/translate.ts';

const words: Readonly<Record<string, string>> = {
  OPEN: translate('Open'),
  WIP: translate('In progress'),
  OTHER: translate('Other'),
  RESOLVED: translate('Resolved'),
  DECLINED: translate('Declined'),
  RDR_DELETE: translate('Decision deleted'),
  REVOKED: translate('Withdrawn'),
  INFORM: translate('For information'),
  EXC: translate('Failed'),
  PEND: translate('Pending'),
  DISPUTE_RDR: translate('Dispute (RDR)'),
  provider_a: translate('Provider A'),
  provider_b: translate('Provider B'),
  shadow: translate('On trial'),
  'matched by shadow rule': translate('Matched by a rule on trial'),
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
  return words[state] ?? translateState(plain.charAt(0).toUpperCase() + plain.slice(1));
};
