import { endpoint } from '#core/platform/http/http.ts';
import { toConnectionDto } from '../../connection.ts';
import { connectionsForCaller } from '../../connection-store.ts';
import { connectionDetailsOperation } from './operation.ts';

export const handler = endpoint(connectionDetailsOperation, async ({ params: { mid }, caller }) => {
  const { list, retired } = await connectionsForCaller(mid, caller);
  return { mid, connections: list.map(toConnectionDto), retired: retired.map(toConnectionDto) };
});
