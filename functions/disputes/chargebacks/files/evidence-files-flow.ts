import { nowIso } from '#core/kernel/clock.ts';
import { randomText } from '#core/kernel/ids.ts';
import { deleteObject, getObject, presignUpload, putObject } from '#core/platform/objects/object-store.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import type { Caller } from '#core/platform/operation/operation.ts';
import { changedMeanwhile, retryOnConflict } from '#core/platform/table/conflict-store.ts';
import { transact } from '#core/platform/table/table.ts';
import {
  type EvidenceFileType,
  type EvidenceKind,
  maxEvidenceBytes,
} from '#payments/processors/ports/evidence-kinds.ts';
import {
  type Chargeback,
  type EvidenceFile,
  isBeingSubmitted,
  whyFixed,
  withFile,
  withoutFile,
  withResponse,
} from '../chargeback.ts';
import { chargebackForCaller } from '../chargeback-access-store.ts';
import { chargebackWrite } from '../chargeback-row.ts';
import { examineFile } from './evidence-file.ts';
import { evidenceKeyOf, uploadKeyOf } from './file-content-store.ts';
import { whyTooMuch } from './network-limits.ts';

const changeableForCaller = async (id: string, caller: Caller): Promise<Chargeback> => {
  const chargeback = await chargebackForCaller(id, caller);
  const fixed = whyFixed(chargeback, nowIso());
  if (fixed !== undefined) throw new Refusal('chargeback_over', fixed);
  return chargeback;
};

/** Throws upload_not_found for a file that was replaced or removed: the call to add it is repeated late, and its content is deleted. */
const checkDropped = ({ droppedFiles }: Chargeback, fileId: string): void => {
  if (droppedFiles.includes(fileId))
    throw new Refusal('upload_not_found', 'file_id: this file was replaced or removed. Upload it again.');
};

type Offered = { kind: EvidenceKind; bytes: number; pages?: number };

/** Throws file_not_accepted if the files of the chargeback would be too large together, or more than its network accepts. */
const checkRoom = ({ files, network }: Chargeback, offered: Offered): void => {
  const kept = files.filter((one) => one.kind !== offered.kind);
  const tooMuch = whyTooMuch(network, [...kept, offered]);
  if (tooMuch !== undefined) throw new Refusal('file_not_accepted', `file_id: ${tooMuch}.`);
  const others = kept.reduce((sum, one) => sum + one.bytes, 0);
  if (others + offered.bytes <= maxEvidenceBytes) return;
  throw new Refusal(
    'file_not_accepted',
    `bytes: all files of a chargeback may have ${maxEvidenceBytes} bytes together; ${Math.max(0, maxEvidenceBytes - others)} are left.`,
  );
};

/** Where a browser uploads a file before `addFileForCaller` checks it. Throws chargeback_not_found, chargeback_over. */
export const beginUploadForCaller = async (
  id: string,
  upload: { type: EvidenceFileType; bytes: number },
  caller: Caller,
) => {
  const chargeback = await changeableForCaller(id, caller);
  const fileId = `file_${randomText(24)}`;
  return { file_id: fileId, ...(await presignUpload(uploadKeyOf(chargeback, fileId), upload)) };
};

/**
 * Checks an uploaded file and adds it to the chargeback. The bytes that were checked are written under another key, so that a second
 * upload to the same address changes nothing. Repeating it changes nothing. Throws chargeback_not_found, chargeback_over,
 * upload_not_found, file_not_accepted, changed_meanwhile.
 */
export const addFileForCaller = async (
  id: string,
  { fileId, kind, name }: { fileId: string; kind: EvidenceKind; name: string },
  caller: Caller,
): Promise<Chargeback> => {
  const before = await changeableForCaller(id, caller);
  if (before.files.some((one) => one.id === fileId)) return before;
  checkDropped(before, fileId);
  const bytes = await getObject(uploadKeyOf(before, fileId));
  if (!bytes) throw new Refusal('upload_not_found', 'file_id: nothing was uploaded.');
  const examined = await examineFile(bytes);
  if ('refused' in examined) throw new Refusal('file_not_accepted', examined.refused);
  const file = {
    ...{ id: fileId, kind, name, ...examined, bytes: bytes.length },
    ...{ by: caller.subject, at: nowIso() },
  };
  await putObject(evidenceKeyOf(before, fileId), bytes, examined.type);
  return changeFiles(id, caller, (chargeback) => {
    // The same call came a moment earlier.
    if (chargeback.files.some((one) => one.id === fileId)) return { after: chargeback, dropped: [] };
    checkDropped(chargeback, fileId);
    checkRoom(chargeback, file);
    return { after: withFile(chargeback, file), dropped: chargeback.files.filter((one) => one.kind === kind) };
  });
};

/** Removes a file; one that is absent counts as removed. Throws chargeback_not_found, chargeback_over, changed_meanwhile. */
export const removeFileForCaller = (id: string, fileId: string, caller: Caller): Promise<Chargeback> =>
  changeFiles(id, caller, (chargeback) => {
    const dropped = chargeback.files.filter((one) => one.id === fileId);
    return { after: dropped.length === 0 ? chargeback : withoutFile(chargeback, fileId), dropped };
  });

/** Saves the response as it was written; null: it is made from the facts again. Throws chargeback_not_found, chargeback_over, changed_meanwhile. */
export const saveResponseForCaller = (id: string, text: string | null, caller: Caller): Promise<Chargeback> =>
  changeFiles(id, caller, (chargeback) => ({
    after: withResponse(chargeback, text === null ? null : { text, by: caller.subject, at: nowIso() }),
    dropped: [],
  }));

type Change = (chargeback: Chargeback) => { after: Chargeback; dropped: readonly EvidenceFile[] };

/**
 * Nothing changes during a submission: what is recorded as submitted must be what was sent. Objects are deleted after the row that
 * named them: one that stays behind expires.
 */
const changeFiles = async (id: string, caller: Caller, work: Change): Promise<Chargeback> => {
  const { after, dropped } = await retryOnConflict(
    async () => {
      const before = await changeableForCaller(id, caller);
      if (isBeingSubmitted(before, nowIso()))
        throw new Refusal('changed_meanwhile', 'Its evidence is being submitted.');
      const changed = work(before);
      if (changed.after !== before) await transact({ chargeback: chargebackWrite(changed.after) });
      return changed;
    },
    { onExhausted: changedMeanwhile },
  );
  await Promise.all(dropped.map((file) => deleteObject(evidenceKeyOf(after, file.id))));
  return after;
};
