import { randomText } from '#core/kernel/ids.ts';
import { type ObjectKey, presignDownload, putObject } from '#core/platform/objects/object-store.ts';
import type { Caller } from '#core/platform/operation/operation.ts';
import { filesOfEvidence } from '../files/file-content-store.ts';
import { chargebackEvidenceForCaller } from './assembled-evidence-store.ts';
import { packArchive } from './evidence-archive.ts';
import { makeEvidencePdf } from './evidence-pdf.ts';
import { letterSources } from './letter-sources-store.ts';

type PacketFormat = 'pdf' | 'zip';

const types: Readonly<Record<PacketFormat, string>> = { pdf: 'application/pdf', zip: 'application/zip' };

/**
 * Makes one file of the evidence and stores it for a day: with its files it would be larger than an answer may be. Throws
 * chargeback_not_found.
 */
export const buildPacketForCaller = async (id: string, format: PacketFormat, caller: Caller) => {
  const evidence = await chargebackEvidenceForCaller(id, caller);
  const { mid, chargeback_id, files: shown } = evidence.chargeback;
  const files = await filesOfEvidence({ mid, files: shown.map(({ file_id, ...file }) => ({ id: file_id, ...file })) });
  const letter = await makeEvidencePdf(evidence, files, await letterSources(evidence));
  const { bytes: pdf, pages } = letter;
  const leftOut = [...(letter.isLogoLeftOut ? ['The logo'] : []), ...letter.leftOut];
  const bytes = format === 'pdf' ? pdf : packArchive(evidence, pdf, files);
  const key: ObjectKey = `exports/${mid}/${randomText(24)}`;
  await putObject(key, bytes, types[format]);
  const name = `evidence-${chargeback_id}.${format}`;
  const { url, expires_at } = await presignDownload(key, { name, type: types[format] });
  return { name, url, expires_at, bytes: bytes.length, pages, left_out: format === 'pdf' ? leftOut : [] };
};
