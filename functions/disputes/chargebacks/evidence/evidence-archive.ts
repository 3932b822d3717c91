import { strToU8, zipSync } from 'fflate';
import { type Assembled, disputeEvidenceOf } from './chargeback-evidence.ts';

/**
 * The evidence as files in a ZIP, for a portal that takes files: a summary in sentences, and the order and the payment as
 * stored.
 */
export const archiveOf = (assembled: Assembled): { name: string; content_base64: string } => {
  const { chargeback, payment, order_evidence: evidence } = assembled;
  const told = disputeEvidenceOf(assembled);
  const { statement, compelling, ...fields } = told;
  const sheet = (value: unknown) => strToU8(`${JSON.stringify(value, null, 2)}\n`);
  const files = {
    'statement.txt': strToU8(`${statement}\n`),
    'evidence.json': sheet({ ...fields, compelling }),
    'chargeback.json': sheet(chargeback),
    ...(payment && { 'payment.json': sheet(payment) }),
    ...(evidence && { 'order.json': sheet(evidence.order) }),
  };
  const zipped = zipSync(files, { mtime: chargeback.opened_at, level: 9 });
  return {
    name: `evidence-${chargeback.chargeback_id}.zip`,
    content_base64: Buffer.from(zipped).toString('base64'),
  };
};
