import { endpoint } from '../../core/http.ts';
import { evidenceForCaller } from '../details-store.ts';
import { orderEvidence } from './operation.ts';

export const handler = endpoint(orderEvidence, ({ params: { id }, caller }) => evidenceForCaller(id, caller));
