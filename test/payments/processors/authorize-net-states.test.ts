import { describe, expect, it, vi } from 'vitest';
import {
  type AuthorizeNetDetails,
  authorizeNetCandidateOf,
  authorizeNetStatuses,
  mayBeCharge,
} from '#payments/processors/authorize-net/authorize-net-transactions.ts';
import { nmiActionTypes, nmiConditions } from '#payments/processors/nmi/nmi-transaction.ts';
import { warnOfUnknownStates } from '#payments/processors/unknown-state-client.ts';
import { nmiQueryFacts } from '#test/contracts/nmi/calls.ts';
import { authorizeNetTransactionFacts } from '../../contracts/authorize-net/transaction-states.ts';

const aDetail = (transactionStatus: string): AuthorizeNetDetails => ({
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
    const found = authorizeNetCandidateOf(aDetail(status), [], 'USD');
    if (expected === undefined) expect(found).toBeUndefined();
    else expect(found).toMatchObject(expected);
    const summary = { transId: '1', submitTimeUTC: '', transactionStatus: status, settleAmount: 0n };
    const listed = mayBeCharge({ ...summary, invoiceNumber: '', accountType: '', accountNumber: '' });
    expect(listed).toBe(expected !== undefined);
  });
});

it('counts a charge in a status that is not published as taken and unclear', () => {
  const found = authorizeNetCandidateOf(aDetail('something_new'), [], 'USD');
  expect(found).toMatchObject({ captured: 1000n, isUnclear: true, isSettled: false });
  const refund = { ...aDetail('something_new'), transactionType: 'refundTransaction', refTransId: '1' };
  expect(authorizeNetCandidateOf(aDetail('settledSuccessfully'), [refund], 'USD')).toMatchObject({ isUnclear: true });
});

describe('a state that a processor has not published', () => {
  it.each([
    ['authorize_net', authorizeNetStatuses, authorizeNetTransactionFacts.statuses],
    ['nmi', nmiConditions, nmiQueryFacts.conditions],
    ['nmi', nmiActionTypes, nmiQueryFacts.actionTypes],
  ])('of %s raises the alarm, and no published one does', (processor, known, published) => {
    const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    warnOfUnknownStates(processor, published, known);
    expect(written).not.toHaveBeenCalled();
    warnOfUnknownStates(processor, ['something_new', 'something_new', ''], known);
    const lines = written.mock.calls.map(([line]) => String(line)).join('');
    written.mockRestore();
    expect(lines.match(/processor_state_unknown/g)).toHaveLength(1);
    expect(lines).toContain('UnknownDisputeStates');
    expect(new Set(known)).toEqual(new Set(published));
  });
});
