import { strToU8, zipSync } from 'fflate';
import type { FileOfEvidence } from '#payments/processors/ports/evidence-kinds.ts';
import { type Assembled, disputeEvidenceOf } from './chargeback-evidence.ts';

/**
 * The evidence as files in a ZIP, for a portal that takes files: a summary in sentences, and the order and the payment as
 * stored.
 */
export const toArchive = (assembled: Assembled): { name: string; content_base64: string } => ({
  name: `evidence-${assembled.chargeback.chargeback_id}.zip`,
  content_base64: Buffer.from(makeZip(assembled)).toString('base64'),
});

/** The same with the uploaded files and the response as a PDF. */
export const packArchive = (assembled: Assembled, pdf: Uint8Array, files: readonly FileOfEvidence[]): Uint8Array =>
  makeZip(assembled, {
    'response.pdf': pdf,
    ...Object.fromEntries(files.map(({ kind, name, bytes }) => [`files/${kind}-${plainName(name)}`, bytes])),
  });

/** File systems take 255 bytes; the kind of proof comes before the name. */
const maxNameBytes = 200;

/** Shortens the part before the extension. */
const fitName = (name: string): string => {
  const [, stem = name, extension = ''] = /^(.*?)(\.[^.]{1,10})?$/su.exec(name) ?? [];
  let kept = stem;
  while (Buffer.byteLength(kept + extension) > maxNameBytes) kept = [...kept].slice(0, -1).join('');
  return kept + extension;
};

/** A name that stays in its folder and that every system can write: letters of all scripts, without signs that a system reserves. */
const plainName = (name: string): string =>
  fitName(
    name
      .normalize('NFC')
      .replace(/[\p{C}\\/:*?"<>|]/gu, '_')
      .replace(/^\.+/, '_')
      .replace(/[. ]+$/, '_'),
  );

const makeZip = (assembled: Assembled, more: Readonly<Record<string, Uint8Array>> = {}): Uint8Array => {
  const { chargeback, payment, order_evidence: evidence } = assembled;
  const { statement, compelling, files: _, ...fields } = disputeEvidenceOf(assembled);
  const sheet = (value: unknown) => strToU8(`${JSON.stringify(value, null, 2)}\n`);
  const files = {
    'statement.txt': strToU8(`${statement}\n`),
    'evidence.json': sheet({ ...fields, compelling }),
    'chargeback.json': sheet(chargeback),
    ...(payment && { 'payment.json': sheet(payment) }),
    ...(evidence && { 'order.json': sheet(evidence.order) }),
    ...more,
  };
  return zipSync(files, { mtime: chargeback.opened_at, level: 9 });
};
