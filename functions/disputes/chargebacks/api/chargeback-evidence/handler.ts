import { needRole } from '#core/platform/http/access.ts';
import { endpoint } from '#core/platform/http/http.ts';
import { readEstimate } from '../../automatic/estimate-store.ts';
import { chargebackEvidenceForCaller } from '../../evidence/assembled-evidence-store.ts';
import { toArchive } from '../../evidence/evidence-archive.ts';
import { submitForCaller } from '../../evidence/evidence-flow.ts';
import { letterSources } from '../../evidence/letter-sources-store.ts';
import { linkFiles } from '../../files/file-content-store.ts';
import { chargebackEvidenceOperation } from './operation.ts';

export const handler = endpoint(chargebackEvidenceOperation, async ({ params: { id }, body, caller }) => {
  if (body.submit) needRole(caller, ['analyst', 'manager']);
  const evidence = await (body.submit
    ? submitForCaller(id, caller, body.fee_acknowledged)
    : chargebackEvidenceForCaller(id, caller));
  const { files, mid, processor, reason_code: reasonCode, amount, currency, contest_fee: fee } = evidence.chargeback;
  const costs = { mid, processor, reasonCode, amount, currency, ...(fee && { contestFee: fee }) };
  const { unshownInLetter } = await import('../../letter/missing-glyphs.ts');
  const response = { ...evidence.response, unshown: await unshownInLetter(evidence, await letterSources(evidence)) };
  return {
    ...evidence,
    response,
    estimate: await readEstimate(costs),
    files: await linkFiles(mid, files),
    archive: body.archive ? toArchive(evidence) : null,
  };
});
