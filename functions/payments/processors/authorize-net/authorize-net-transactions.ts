import * as v from 'valibot';
import { brandNamed, schemeNamed } from '#core/kernel/card/schemes.ts';
import { exponentOf } from '#core/kernel/money/money.ts';
import {
  type ChargeCandidate,
  type ChargeRefundRequest,
  refusedOutcome,
  unknownOutcome,
} from '../ports/connected-processor.ts';
import { makeReader, SentTime } from '../ports/outside-data.ts';
import type { ProcessorResult } from '../ports/processor.ts';
import { refundMark } from '../ports/refund-after-looking.ts';

/** Transactions of Authorize.Net: https://developer.authorize.net/api/reference/index.html#transaction-reporting. Pure. */

const text = v.nullish(v.string(), '');
/** Decimals, which are JSON numbers. Every currency of Authorize.Net has two. */
const Amount = v.pipe(
  v.nullish(v.union([v.number(), v.pipe(v.string(), v.decimal(), v.transform(Number))]), 0),
  v.transform((value) => BigInt(Math.round((value ?? 0) * 100))),
);

const Summary = v.object({
  transId: v.string(),
  submitTimeUTC: SentTime,
  transactionStatus: v.string(),
  invoiceNumber: text,
  accountType: text,
  accountNumber: text,
  settleAmount: Amount,
});
export type AuthorizeNetSummary = v.InferOutput<typeof Summary>;

const Details = v.object({
  transId: v.string(),
  refTransId: text,
  submitTimeUTC: SentTime,
  transactionType: v.string(),
  transactionStatus: v.string(),
  authCode: text,
  order: v.nullish(v.object({ invoiceNumber: text })),
  authAmount: Amount,
  settleAmount: Amount,
  payment: v.nullish(v.object({ creditCard: v.nullish(v.object({ cardNumber: text, cardType: text })) })),
  returnedItems: v.nullish(v.array(v.object({ dateUTC: SentTime })), []),
  networkTransId: text,
  subscription: v.nullish(v.object({ id: v.union([v.string(), v.pipe(v.number(), v.transform(String))]) })),
});
export type AuthorizeNetDetails = v.InferOutput<typeof Details>;

const Batch = v.object({
  batchId: v.string(),
  settlementTimeUTC: SentTime,
  paymentMethod: text,
  statistics: v.nullish(v.array(v.object({ refundCount: v.nullish(v.number(), 0) }))),
});
export type AuthorizeNetBatch = v.InferOutput<typeof Batch>;

/** Lists are absent where they would be empty. */
export const readAuthorizeNetList = makeReader(v.object({ transactions: v.nullish(v.array(Summary), []) }));
export const readAuthorizeNetBatches = makeReader(v.object({ batchList: v.nullish(v.array(Batch), []) }));
export const readAuthorizeNetDetails = makeReader(v.object({ transaction: Details }));
/** An account has one currency; transactions do not name it. */
export const readAuthorizeNetAccount = makeReader(
  v.object({
    isTestMode: v.nullish(v.boolean(), false),
    currencies: v.pipe(
      v.array(v.string()),
      v.check(([code = '', ...others]) => others.length === 0 && exponentOf(code) === 2),
    ),
  }),
);

/** A void of money that has settled cannot be made (assumed: the documentation does not define `couldNotVoid`). */
const settled = ['settledSuccessfully', 'chargeback', 'chargebackReversal', 'returnedItem', 'couldNotVoid'];
const settling = ['capturedPendingSettlement', 'pendingSettlement', 'pendingFinalSettlement', 'updatingSettlement'];
/** The settlement failed and may be repeated: what was taken is not known. */
const unclear = ['settlementError'];
const taken = [...settled, ...settling, ...unclear, 'approvedReview'];
const promised = [
  ...['authorizedPendingCapture', 'authorizedPendingRelease'],
  ...['FDSAuthorizedPendingReview', 'FDSPendingReview', 'underReview'],
];
const refunded = ['refundPendingSettlement', 'refundSettledSuccessfully'];
/** Failures of refunds, which moved nothing. */
const failed = [...unclear, 'communicationError', 'declined', 'expired', 'failedReview', 'generalError', 'voided'];
const charges = [...taken, ...promised, 'voided'];

/** The published statuses; what another means for the money is not known. */
export const authorizeNetStatuses: readonly string[] = [...charges, ...refunded, ...failed];
const isUnknown = (status: string): boolean => !authorizeNetStatuses.includes(status);

export const mayBeCharge = ({ transactionStatus: status }: AuthorizeNetSummary): boolean =>
  charges.includes(status) || isUnknown(status);

/** Those with our mark count in any state. */
export const mayBeRefund = ({ transactionStatus: status, invoiceNumber }: AuthorizeNetSummary): boolean =>
  refunded.includes(status) || /^fw-[\da-f]{17}$/.test(invoiceNumber ?? '');

/** Our mark of a refund, in its invoice number, which has at most 20 characters. */
export const invoiceNumberOf = (key: string): string => refundMark(key).slice(0, 20);

const isRefund = ({ transactionType }: AuthorizeNetDetails): boolean => transactionType === 'refundTransaction';

const authNetCard = ({ payment }: AuthorizeNetDetails) => ({
  first6: '',
  last4: payment?.creditCard?.cardNumber?.slice(-4) ?? '',
  ...brandNamed(payment?.creditCard?.cardType),
});

/** The amounts of a charge. For an alert, a voided charge counts as taken and given back. */
const sumAmounts = (charge: AuthorizeNetDetails, refunds: readonly AuthorizeNetDetails[]) => {
  const whole = charge.settleAmount || charge.authAmount;
  if (charge.transactionStatus === 'voided') return { whole, captured: whole, given: whole };
  const given = refunds.reduce((sum, one) => sum + one.settleAmount, 0n);
  const isTaken = taken.includes(charge.transactionStatus) || isUnknown(charge.transactionStatus);
  return { whole, captured: isTaken ? whole : 0n, given };
};

/** A charge as a candidate, given the refunds to its card since; undefined if it is none. */
export const authorizeNetCandidateOf = (
  charge: AuthorizeNetDetails,
  refunds: readonly AuthorizeNetDetails[],
  currency: string,
): ChargeCandidate | undefined => {
  const { transId, submitTimeUTC: date, transactionStatus: status, networkTransId } = charge;
  const isStrange = isUnknown(status) || refunds.some((one) => isRefund(one) && isUnknown(one.transactionStatus));
  if (!(charges.includes(status) || isUnknown(status)) || isRefund(charge) || !charge.payment?.creditCard)
    return undefined;
  const done = refunds.filter((one) => isRefund(one) && refunded.includes(one.transactionStatus));
  const own = done.filter(({ refTransId }) => refTransId === transId);
  const { whole, captured, given } = sumAmounts(charge, own);
  const unnamed = done.filter((one) => !one.refTransId && one.submitTimeUTC >= date && one.settleAmount <= captured);
  const [refundedAt] = own.map(({ submitTimeUTC }) => submitTimeUTC).toSorted((a, b) => b.localeCompare(a));
  const isChargedBack = status === 'chargeback';
  const [chargedBackAt] = (charge.returnedItems ?? []).map(({ dateUTC }) => dateUTC).toSorted();
  return {
    reference: transId,
    secondReference: charge.order?.invoiceNumber ?? '',
    type: charge.transactionType.replace('Transaction', ''),
    date,
    money: { minor: whole, currency },
    ...authNetCard(charge),
    authCode: charge.authCode || null,
    arn: null,
    ...(networkTransId && { networkReference: networkTransId }),
    captured,
    refunded: given,
    ...(refundedAt !== undefined && { refundedAt }),
    isChargedBack,
    ...(isChargedBack && chargedBackAt !== undefined && { chargedBackAt }),
    isSettled: settled.includes(status),
    isUnclear: unnamed.length > 0 || unclear.includes(status) || isStrange,
    subscription: null,
    descriptor: '',
  };
};

/** A charge of a list of settled transactions; undefined if it is none. Lists name neither the refunds of a charge nor its type. */
export const authorizeNetListedOf = (one: AuthorizeNetSummary, currency: string): ChargeCandidate | undefined => {
  const { transId, submitTimeUTC: date, transactionStatus: status, invoiceNumber, accountType, accountNumber } = one;
  const brand = schemeNamed(accountType);
  if (!settled.includes(status) || brand === undefined) return undefined;
  return {
    reference: transId,
    secondReference: invoiceNumber ?? '',
    type: '',
    date,
    money: { minor: one.settleAmount, currency },
    ...{ first6: '', last4: accountNumber?.slice(-4) ?? '', brand },
    ...{ authCode: null, arn: null },
    ...{ captured: one.settleAmount, refunded: 0n },
    isChargedBack: status === 'chargeback',
    isSettled: true,
    isUnclear: true,
    subscription: null,
    descriptor: '',
  };
};

const ownResult = ({ transId, transactionStatus: status }: AuthorizeNetDetails): ProcessorResult => {
  if (refunded.includes(status)) return { outcome: 'OK', reference: transId };
  if (!failed.includes(status)) return { outcome: 'PEND', reference: transId };
  return { outcome: 'EXC', code: 'refund_failed', reference: transId, detail: `authorize.net ${status}` };
};

/** The result of a refund that was sent before, by our mark; undefined if there is none. One that succeeded counts before others. */
export const authorizeNetResultOf = (
  refunds: readonly AuthorizeNetDetails[],
  { key, reference }: Pick<ChargeRefundRequest, 'key' | 'reference'>,
): ProcessorResult | undefined => {
  const own = refunds.filter((one) => one.order?.invoiceNumber === invoiceNumberOf(key));
  const results = own.filter(({ refTransId }) => (refTransId || reference) === reference).map(ownResult);
  return (
    results.find(({ outcome }) => outcome === 'OK') ?? results.find(({ outcome }) => outcome === 'PEND') ?? results[0]
  );
};

const Reply = v.object({
  transactionResponse: v.object({
    responseCode: v.pipe(v.union([v.string(), v.number()]), v.transform(String)),
    transId: text,
    testRequest: text,
    errors: v.nullish(v.array(v.object({ errorCode: v.string() })), []),
  }),
});

/** https://developer.authorize.net/api/reference/responseCodes.html: something went wrong there, or the same was sent before. */
const unclearErrors = [
  '11',
  '19',
  '20',
  '21',
  '22',
  '23',
  '25',
  '26',
  '57',
  '58',
  '59',
  '60',
  '61',
  '62',
  '63',
  '120',
  '121',
  '122',
  '318',
];

/** The result of a transaction's answer; undefined if it is none. A test changes nothing, though it is approved. */
export const resultOfAuthorizeNetReply = (body: unknown): ProcessorResult | undefined => {
  const reply = makeReader(Reply)(body)?.transactionResponse;
  if (!reply) return undefined;
  const { responseCode, transId, testRequest } = reply;
  if (testRequest === '1') return refusedOutcome('refund_failed', 'authorize.net: the account is in test mode');
  const isNamed = /^[1-9]\d*$/.test(transId ?? '');
  if (isNamed && responseCode === '1') return { outcome: 'OK', reference: transId ?? '' };
  if (isNamed && responseCode === '4') return { outcome: 'PEND', reference: transId ?? '' };
  const error = reply.errors?.[0]?.errorCode ?? '';
  const detail = `authorize.net ${/^\w{1,10}$/.test(error) ? error : responseCode}`;
  if (unclearErrors.includes(error) || responseCode === '1' || responseCode === '4') return unknownOutcome(detail);
  if (error === '13') return refusedOutcome('processor_credentials', detail);
  if (error === '16' || error === '319') return refusedOutcome('not_found_at_processor', detail);
  return refusedOutcome(error === '5' || error === '55' ? 'amount_invalid' : 'refund_failed', detail);
};
