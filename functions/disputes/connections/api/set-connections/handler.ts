import { auditedEndpoint } from '#core/platform/audit/audit-store.ts';
import { toConnectionDto } from '../../connection.ts';
import { setConnections as set } from '../../connection-store.ts';
import { setConnections } from './operation.ts';

export const handler = auditedEndpoint(setConnections, async ({ params: { mid }, body, caller }) => {
  const { list } = await set(mid, caller, body.connections);
  return { status: 'ok' as const, mid, connections: list.map(toConnectionDto) };
});
