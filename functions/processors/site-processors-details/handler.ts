import { optional } from '../../core/environment.ts';
import { endpoint } from '../../core/http.ts';
import { toProcessorsDto } from '../processors-reply.ts';
import { processorsForCaller } from '../site-processors-store.ts';
import { siteProcessorsDetails } from './operation.ts';

export const handler = endpoint(siteProcessorsDetails, async ({ params: { sid }, caller }) =>
  toProcessorsDto(sid, await processorsForCaller(sid, caller), optional('ALLOW_SANDBOX') === 'true'),
);
