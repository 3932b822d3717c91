/** The dialogs of answers, in a file of their own that is fetched behind the queue. */
export { AnswerDialog } from './answer.tsx';
export { ApplyDialog } from './apply-recommended.tsx';
export { BulkResults } from './bulk.tsx';
export { BulkRefundDialog } from './bulk-refund.tsx';
