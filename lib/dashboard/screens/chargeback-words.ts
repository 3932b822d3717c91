import type { listChargebacksOperation as ListOperation } from '#disputes/chargebacks/api/list-chargebacks/operation.ts';
import type { RowOf } from '../app/client.ts';
import { stateWords, type Tone } from '../parts/badge.tsx';
import { codeWords } from './reason-words.ts';

export type ChargebackRow = RowOf<typeof ListOperation>;

export const statusTones: Readonly<Record<ChargebackRow['status'], Tone>> = {
  open: 'act',
  under_review: 'warn',
  won: 'good',
  lost: 'bad',
  accepted: 'plain',
};

export const stageWords: Readonly<Record<ChargebackRow['stage'], string>> = {
  inquiry: 'Inquiry: nothing is taken yet',
  chargeback: 'Chargeback',
  arbitration: 'Arbitration: raised a second time',
};

/** Whether it can still be contested, and so be accepted. */
export const isContestable = ({ status }: Pick<ChargebackRow, 'status'>): boolean =>
  status === 'open' || status === 'under_review';

/** The reason of a chargeback: in words if the code is known, otherwise the scheme and its code. */
export const chargebackReason = ({ network, reason_code }: Pick<ChargebackRow, 'network' | 'reason_code'>): string =>
  codeWords(reason_code) ?? `${stateWords(network)} ${reason_code}`;
