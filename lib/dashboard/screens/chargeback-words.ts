import { translate } from '../language/translate.ts';
import { stateWords, type Tone } from '../parts/badge.tsx';
import type { ChargebackRow } from './chargeback-kinds.ts';
import { codeWords } from './reason-words.ts';

export const statusTones: Readonly<Record<ChargebackRow['status'], Tone>> = {
  open: 'act',
  under_review: 'warn',
  won: 'good',
  lost: 'bad',
  accepted: 'plain',
  refunded_by_network: 'plain',
};

export const stageWords: Readonly<Record<ChargebackRow['stage'], string>> = {
  inquiry: translate('Inquiry: nothing is taken yet'),
  chargeback: translate('Chargeback'),
  arbitration: translate('Arbitration: raised a second time'),
};

/** The reason of a chargeback: in words if the code is known, otherwise the scheme and its code. */
export const chargebackReason = ({ network, reason_code }: Pick<ChargebackRow, 'network' | 'reason_code'>): string =>
  codeWords(reason_code) ?? `${stateWords(network)} ${reason_code}`;
