import { type Money, parseAmount } from '#core/kernel/money/money.ts';

/** The fees of a processor for a dispute and for contesting it. `processor`: null: any other. Amounts are decimals. */
export type DisputeFee = {
  processor: string | null;
  currency: string;
  disputeFee: string;
  counterFee: string;
  /** The fee for contesting is returned if the dispute is won. */
  isCounterReturned: boolean;
};

/** A merchant's fees, at most one entry of a processor. */
export type DisputeFees = { list: readonly DisputeFee[]; version: number; updatedAt: string; by: string };

export const maxDisputeFees = 30;

/** The entry that applies at a processor: its own before the one for any. */
export const feesAt = ({ list }: Pick<DisputeFees, 'list'>, processor: string): DisputeFee | undefined =>
  list.find((one) => one.processor === processor) ?? list.find((one) => one.processor === null);

/** An amount of an entry. It was checked before it was stored. */
export const feeMoney = (amount: string, currency: string): Money => {
  const money = parseAmount(amount, currency);
  if (typeof money === 'string') throw new Error(`A stored fee ${money}`);
  return money;
};

/** On the wire. */
export const toDisputeFeeDto = ({ processor, currency, disputeFee, counterFee, isCounterReturned }: DisputeFee) => ({
  processor,
  currency,
  dispute_fee: disputeFee,
  counter_fee: counterFee,
  counter_fee_returned: isCounterReturned,
});
