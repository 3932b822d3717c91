/** The dialogs of answers and what filters show when they are opened, in a file of their own that is fetched behind the queue. */
export { FilterDialog, Tokens } from '../parts/filter-dialog.tsx';
export { ViewsDialog } from '../parts/views.tsx';
export { AlertRefundDialog, ChargeRefundDialog } from './alert-refund-dialog.tsx';
export { AnswerDialog } from './answer.tsx';
export { BulkResults } from './bulk.tsx';
export { BulkBar } from './bulk-bar.tsx';
export { ForgotPassword } from './forgot-password.tsx';
export { countTabs } from './queue-counts.ts';
