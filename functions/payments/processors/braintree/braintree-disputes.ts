import * as v from 'valibot';
import { joinReason } from '#core/kernel/card/scheme-reasons.ts';
import { parseAmount } from '#core/kernel/money/money.ts';
import { type DisputeStage, type DisputeStatus, type ProcessorDispute, unmappedStanding } from '../ports/dispute.ts';
import { readTime } from './braintree-outcomes.ts';

const text = v.nullish(v.string(), '');

/** The fields of a dispute that are read. https://developer.paypal.com/braintree/graphql/reference/types/dispute */
const Dispute = v.object({
  legacyId: v.string(),
  createdAt: text,
  receivedDate: text,
  replyByDate: text,
  type: text,
  status: text,
  amountDisputed: v.nullish(v.object({ value: v.string(), currencyCode: v.string() })),
  processorResponse: v.nullish(v.object({ reason: text, reasonCode: text })),
  transaction: v.nullish(v.object({ legacyId: v.string(), orderId: text })),
});

const stages: Readonly<Record<string, DisputeStage>> = {
  RETRIEVAL: 'inquiry',
  CHARGEBACK: 'chargeback',
  PRE_ARBITRATION: 'arbitration',
};

/** A dispute that was not answered in time counts as accepted: the issuer keeps the money. */
const statuses: Readonly<Record<string, DisputeStatus>> = {
  OPEN: 'open',
  DISPUTED: 'under_review',
  UNDER_REVIEW: 'under_review',
  WON: 'won',
  LOST: 'lost',
  ACCEPTED: 'lost',
  AUTO_ACCEPTED: 'lost',
  EXPIRED: 'lost',
};

/** During a retrieval Braintree takes nothing. */
export const braintreeStanding = (type: string, word: string) => {
  const [stage, status] = [stages[type], statuses[word]];
  if (!stage || !status) return unmappedStanding(stage ? word : type);
  return { stage, status, isTaken: stage !== 'inquiry' && status !== 'won' };
};

/** A dispute as Braintree reports it; undefined if it has no transaction, or its date cannot be read. */
export const disputeOfBraintree = (node: unknown): ProcessorDispute | undefined => {
  const read = v.safeParse(Dispute, node);
  if (!read.success) return undefined;
  const { legacyId, createdAt, receivedDate, replyByDate, type, status: word, ...told } = read.output;
  const { amountDisputed: amount, transaction, processorResponse } = told;
  const money = amount ? parseAmount(amount.value, amount.currencyCode) : undefined;
  const openedAt = readTime(createdAt) ?? readTime(receivedDate);
  if (!transaction || !openedAt || !money || typeof money === 'string') return undefined;
  return {
    reference: legacyId,
    payments: [transaction.legacyId],
    merchantReference: transaction.orderId,
    ...braintreeStanding(type ?? '', word ?? ''),
    money,
    reasonCode: joinReason(processorResponse?.reasonCode ?? '', processorResponse?.reason ?? ''),
    network: '',
    // Their deadlines are days, which last until the end of the day.
    dueBy: readTime(`${replyByDate}T23:59:59Z`) ?? null,
    openedAt,
  };
};
