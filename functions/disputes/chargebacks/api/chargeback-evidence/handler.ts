import { needRole } from '#core/platform/http/access.ts';
import { endpoint } from '#core/platform/http/http.ts';
import { archiveOf } from '../../evidence/evidence-archive.ts';
import { chargebackEvidenceForCaller, submitForCaller } from '../../evidence/evidence-flow.ts';
import { chargebackEvidenceOperation } from './operation.ts';

export const handler = endpoint(chargebackEvidenceOperation, async ({ params: { id }, body, caller }) => {
  if (body.submit) needRole(caller, ['analyst', 'manager']);
  const evidence = await (body.submit ? submitForCaller : chargebackEvidenceForCaller)(id, caller);
  return { ...evidence, archive: body.archive ? archiveOf(evidence) : null };
});
