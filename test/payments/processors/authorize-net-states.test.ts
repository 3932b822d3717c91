import { describe, expect, it } from 'vitest';
import {
  type AuthorizeNetDetails,
  authorizeNetCandidateOf,
  mayBeCharge,
} from '#payments/processors/authorize-net/authorize-net-transactions.ts';
import { authorizeNetTransactionFacts } from '../../contracts/authorize-net/transaction-states.ts';

const detailsOf = (transactionStatus: string): AuthorizeNetDetails => ({
  ...{ transId: '1', refTransId: '', submitTimeUTC: '2026-05-02T10:00:00.000Z', transactionStatus },
  ...{ transactionType: 'authCaptureTransaction', authCode: '', order: null, networkTransId: '' },
  ...{ authAmount: 1000n, settleAmount: 1000n, returnedItems: [] },
  payment: { creditCard: { cardNumber: 'XXXX1111', cardType: 'Visa' } },
});

type Expected = { captured: bigint; isSettled: boolean; isUnclear: boolean; refunded: bigint } | undefined;
const charge = { captured: 1000n, isSettled: false, isUnclear: false, refunded: 0n };
const promised = { ...charge, captured: 0n };
const settled = { ...charge, isSettled: true };

/** What each published status says of a charge; undefined: no money was taken or promised. */
const expectedStates: Record<(typeof authorizeNetTransactionFacts.statuses)[number], Expected> = {
  ...{ settledSuccessfully: settled, chargeback: settled, chargebackReversal: settled, returnedItem: settled },
  ...{ couldNotVoid: settled, settlementError: { ...charge, isUnclear: true } },
  ...{ capturedPendingSettlement: charge, pendingSettlement: charge, pendingFinalSettlement: charge },
  ...{ updatingSettlement: charge, approvedReview: charge, voided: { ...charge, refunded: 1000n } },
  ...{ authorizedPendingCapture: promised, authorizedPendingRelease: promised, underReview: promised },
  ...{ FDSPendingReview: promised, FDSAuthorizedPendingReview: promised },
  ...{ refundSettledSuccessfully: undefined, refundPendingSettlement: undefined, communicationError: undefined },
  ...{ declined: undefined, expired: undefined, generalError: undefined, failedReview: undefined },
};

describe('a transaction of Authorize.Net', () => {
  it.each(authorizeNetTransactionFacts.statuses)('is a charge, or none, by its status %s', (status) => {
    const expected = expectedStates[status];
    const found = authorizeNetCandidateOf(detailsOf(status), [], 'USD');
    if (expected === undefined) expect(found).toBeUndefined();
    else expect(found).toMatchObject(expected);
    const summary = { transId: '1', submitTimeUTC: '', transactionStatus: status, settleAmount: 0n };
    const listed = mayBeCharge({ ...summary, invoiceNumber: '', accountType: '', accountNumber: '' });
    expect(listed).toBe(expected !== undefined);
  });
});
