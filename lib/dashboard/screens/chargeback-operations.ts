import type { acceptChargebackOperation as AcceptOperation } from '#disputes/chargebacks/api/accept-chargeback/operation.ts';
import type { addFileOperation as AddFileOperation } from '#disputes/chargebacks/api/add-file/operation.ts';
import type { beginUploadOperation as BeginUploadOperation } from '#disputes/chargebacks/api/begin-upload/operation.ts';
import type { buildPacketOperation as BuildPacketOperation } from '#disputes/chargebacks/api/build-packet/operation.ts';
import type { chargebackEvidenceOperation as EvidenceOperation } from '#disputes/chargebacks/api/chargeback-evidence/operation.ts';
import type { listChargebacksOperation as ListOperation } from '#disputes/chargebacks/api/list-chargebacks/operation.ts';
import type { removeFileOperation as RemoveFileOperation } from '#disputes/chargebacks/api/remove-file/operation.ts';
import type { saveResponseOperation as SaveResponseOperation } from '#disputes/chargebacks/api/save-response/operation.ts';
import { type ReplyOf, remote } from '../app/client.ts';
import { ServiceError } from '../app/transport.ts';
import { translate } from '../language/translate.ts';
import { evidenceProcessors, type FileKind, isContestable } from './chargeback-kinds.ts';

/** The operations of the page of a chargeback. */

const path = '/api/v3/service_alerts/chargeback/{id}';

export const listChargebacks = remote<typeof ListOperation>({ path: '/api/v3/service_alerts/chargebacks/list' });

export const chargebackEvidence = remote<typeof EvidenceOperation>({
  path: `${path}/evidence`,
  roles: ['analyst', 'developer', 'manager'],
});
export type Evidence = ReplyOf<typeof EvidenceOperation>;
export type ChargebackDto = Evidence['chargeback'];

/** Checks whether evidence can still be changed and submitted. */
export const isOpenForEvidence = (chargeback: ChargebackDto): boolean =>
  isContestable(chargeback) && chargeback.evidence_submitted_at === null && chargeback.accepted === null;

/** Checks whether the processor accepts evidence from here. */
export const canSubmitHere = ({ processor }: ChargebackDto): boolean => evidenceProcessors.includes(processor);

export const acceptChargeback = remote<typeof AcceptOperation>({
  path: `${path}/accept`,
  roles: ['analyst', 'manager'],
});
export const removeFile = remote<typeof RemoveFileOperation>({
  path: `${path}/files/remove`,
  roles: ['analyst', 'manager'],
});
export const saveResponse = remote<typeof SaveResponseOperation>({
  path: `${path}/response`,
  roles: ['analyst', 'manager'],
});
const beginUpload = remote<typeof BeginUploadOperation>({
  path: `${path}/files/upload`,
  roles: ['analyst', 'manager'],
});
const addFile = remote<typeof AddFileOperation>({ path: `${path}/files/add`, roles: ['analyst', 'manager'] });
const buildPacket = remote<typeof BuildPacketOperation>({
  path: `${path}/packet`,
  roles: ['analyst', 'developer', 'manager'],
});

type FileType = 'application/pdf' | 'image/png' | 'image/jpeg';
const accepted: readonly string[] = ['application/pdf', 'image/png', 'image/jpeg'] satisfies FileType[];
export const acceptedTypes = accepted.join();
const isAccepted = (type: string): type is FileType => accepted.includes(type);

/** All files of a chargeback together. */
export const maxFileBytes = 4_500_000;

const refuse = (msg: string, details: string): never => {
  throw new ServiceError(0, { msg, details });
};

/** Sends a file to the bucket and has the service check and add it. Throws ServiceError. */
export const uploadFile = async (id: string, kind: FileKind, file: File): Promise<void> => {
  const { type, size } = file;
  if (!isAccepted(type))
    return refuse(translate('The file was not accepted'), translate('Choose a PDF, a PNG or a JPEG.'));
  if (size > maxFileBytes)
    return refuse(translate('The file is too large'), translate('All files together can have up to 4.5 MB.'));
  const upload = await beginUpload({ params: { id }, body: { type, bytes: size } });
  const sent = await fetch(upload.url, { method: 'PUT', headers: upload.headers, body: file }).catch(() => undefined);
  if (!sent?.ok)
    return refuse(translate('The file was not uploaded'), translate('Check your connection, and try again.'));
  await addFile({ params: { id }, body: { file_id: upload.file_id, kind, name: file.name.slice(-120) } });
};

/** Has the service make a file of the evidence, and saves it. Returns the names of files that the PDF could not include. */
export const downloadPacket = async (id: string, format: 'pdf' | 'zip'): Promise<readonly string[]> => {
  const { url, left_out } = await buildPacket({ params: { id }, body: { format } });
  location.assign(url);
  return left_out;
};
