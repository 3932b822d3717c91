import { needRole } from '#core/platform/http/access.ts';
import { endpoint } from '#core/platform/http/http.ts';
import { archiveOf } from '../../evidence/evidence-archive.ts';
import { evidenceForCaller, submitForCaller } from '../../evidence/evidence-flow.ts';
import { chargebackEvidence } from './operation.ts';

export const handler = endpoint(chargebackEvidence, async ({ params: { id }, body, caller }) => {
  if (body.submit) needRole(caller, ['analyst', 'manager']);
  const evidence = await (body.submit ? submitForCaller : evidenceForCaller)(id, caller);
  return { ...evidence, archive: body.archive ? archiveOf(evidence) : null };
});
