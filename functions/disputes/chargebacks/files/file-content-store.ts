import { getObject, type ObjectKey, presignDownload } from '#core/platform/objects/object-store.ts';
import type { FileOfEvidence } from '#payments/processors/ports/evidence-kinds.ts';
import type { Chargeback, EvidenceFile } from '../chargeback.ts';

type Owner = Pick<Chargeback, 'mid'>;

/** Files lie by merchant: a chargeback's own id changes when its payment is recorded here after it. */
export const uploadKeyOf = ({ mid }: Owner, fileId: string): ObjectKey => `uploads/${mid}/${fileId}`;
export const evidenceKeyOf = ({ mid }: Owner, fileId: string): ObjectKey => `evidence/${mid}/${fileId}`;

/** The files of a chargeback with their content. Throws an Error if one is gone. */
export const filesOfEvidence = ({ files, ...owner }: Owner & Pick<Chargeback, 'files'>): Promise<FileOfEvidence[]> =>
  Promise.all(
    files.map(async ({ id, kind, name, type }) => {
      const bytes = await getObject(evidenceKeyOf(owner, id));
      if (!bytes) throw new Error(`The bucket has no file ${id}`);
      return { kind, name, type, bytes };
    }),
  );

type Shown = Omit<EvidenceFile, 'id'> & { file_id: string };

/** Files with addresses from which they can be downloaded. */
export const linkFiles = (mid: number, files: readonly Shown[]): Promise<(Shown & { url: string })[]> =>
  Promise.all(
    files.map(async (file) => ({
      ...file,
      url: (await presignDownload(evidenceKeyOf({ mid }, file.file_id), file)).url,
    })),
  );
