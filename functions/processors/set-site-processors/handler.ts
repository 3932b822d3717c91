import { endpoint } from '../../core/http.ts';
import { savedReply } from '../processors-reply.ts';
import { setProcessors } from '../site-processors-store.ts';
import { setSiteProcessors } from './operation.ts';

export const handler = endpoint(setSiteProcessors, async ({ params: { sid }, body, caller }) =>
  savedReply(sid, await setProcessors(sid, caller, body.routes)),
);
