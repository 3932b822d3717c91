import { endpoint } from '#core/platform/http/http.ts';
import { buildPacketForCaller } from '../../evidence/packet-flow.ts';
import { buildPacketOperation } from './operation.ts';

export const handler = endpoint(buildPacketOperation, ({ params: { id }, body, caller }) =>
  buildPacketForCaller(id, body.format, caller),
);
