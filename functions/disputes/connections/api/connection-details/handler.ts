import { endpoint } from '#core/platform/http/http.ts';
import { toConnectionDto } from '../../connection.ts';
import { connectionsForCaller, failingConnections } from '../../connection-store.ts';
import { offeredSignIns } from '../../sign-in/sign-in-flow.ts';
import { connectionDetailsOperation } from './operation.ts';

export const handler = endpoint(connectionDetailsOperation, async ({ params: { mid }, caller, baseUrl }) => {
  const { list, retired, version } = await connectionsForCaller(mid, caller);
  const failing = await failingConnections(mid, list);
  const sign_ins = await offeredSignIns(mid, caller, baseUrl);
  return {
    ...{ mid, version, retired: retired.map(toConnectionDto), sign_ins },
    connections: list.map((one) => ({ ...toConnectionDto(one), failing_since: failing.get(one.id) ?? null })),
  };
});
