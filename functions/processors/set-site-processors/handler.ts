import { auditedEndpoint } from '../../core/audit-store.ts';
import { savedReply } from '../processors-reply.ts';
import { setProcessors } from '../site-processors-store.ts';
import { setSiteProcessors } from './operation.ts';

export const handler = auditedEndpoint(setSiteProcessors, async ({ params: { sid }, body, caller }) =>
  savedReply(sid, await setProcessors(sid, caller, body.routes)),
);
