import type { listChargebacksOperation as ListOperation } from '#disputes/chargebacks/api/list-chargebacks/operation.ts';
import type { RowOf } from '../app/client.ts';
import type { Tone } from '../parts/badge.tsx';

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
