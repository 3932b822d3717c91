/** The dialogs of answers and what filters show when they are opened, in a file of their own that is fetched behind the queue. */
export { SiteField } from '../parts/site-field.tsx';
export { AlertRefundDialog } from './alert-refund-dialog.tsx';
export { AnswerDialog } from './answer.tsx';
export { BulkResults } from './bulk.tsx';
export { BulkBar } from './bulk-bar.tsx';
export { ForgotPassword } from './forgot-password.tsx';
