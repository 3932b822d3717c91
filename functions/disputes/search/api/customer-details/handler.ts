import { endpoint } from '#core/platform/http/http.ts';
import { customerForCaller } from '../../customer-store.ts';
import { customerDetailsOperation } from './operation.ts';

export const handler = endpoint(customerDetailsOperation, ({ body, caller }) => customerForCaller(body, caller));
