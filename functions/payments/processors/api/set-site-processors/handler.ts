import { auditedEndpoint } from '#core/platform/audit/audit-store.ts';
import { savedReply } from '../../ports/processors-reply.ts';
import { setProcessors } from '../../routing/site-processors-store.ts';
import { setSiteProcessorsOperation } from './operation.ts';

export const handler = auditedEndpoint(
  setSiteProcessorsOperation,
  async ({ params: { sid }, body, caller }, diversion, comparison) => {
    const { mid, before, processors } = await setProcessors(sid, caller, body.routes);
    diversion.mid = mid;
    const after = savedReply(sid, processors);
    comparison.compare(savedReply(sid, before), after);
    return after;
  },
);
