import { endpoint } from '#core/platform/http/http.ts';
import { optional } from '#core/platform/operation/environment.ts';
import { toProcessorsDto } from '../../ports/processors-reply.ts';
import { processorsForCaller } from '../../routing/site-processors-store.ts';
import { siteProcessorsDetailsOperation } from './operation.ts';

export const handler = endpoint(siteProcessorsDetailsOperation, async ({ params: { sid }, caller }) =>
  toProcessorsDto(sid, await processorsForCaller(sid, caller), optional('ALLOW_SANDBOX') === 'true'),
);
