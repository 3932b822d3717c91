/** The published statuses of a transaction. */
export const authorizeNetTransactionFacts = {
  source:
    'transactionStatusEnum of https://api.authorize.net/xml/v1/schema/AnetApiSchema.xsd, by the types of its Ruby and Java libraries',
  date: '2026-11-28',
  statuses: [
    ...['authorizedPendingCapture', 'capturedPendingSettlement', 'communicationError', 'refundSettledSuccessfully'],
    ...['refundPendingSettlement', 'approvedReview', 'declined', 'couldNotVoid', 'expired', 'generalError'],
    ...['pendingFinalSettlement', 'pendingSettlement', 'failedReview', 'settledSuccessfully', 'settlementError'],
    ...['underReview', 'updatingSettlement', 'voided', 'FDSPendingReview', 'FDSAuthorizedPendingReview'],
    ...['returnedItem', 'chargeback', 'chargebackReversal', 'authorizedPendingRelease'],
  ],
} as const;
