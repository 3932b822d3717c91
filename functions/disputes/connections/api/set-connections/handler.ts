import { auditedEndpoint } from '#core/platform/audit/audit-store.ts';
import { toConnectionDto } from '../../connection.ts';
import { setConnections as set } from '../../connection-store.ts';
import { withSignIns } from '../../sign-in/sign-in-flow.ts';
import { setConnectionsOperation } from './operation.ts';

export const handler = auditedEndpoint(
  setConnectionsOperation,
  async ({ params: { mid }, body, caller }, _, comparison) => {
    const wanted = await withSignIns(mid, caller, body.connections);
    const { before, list, secrets, version } = await set(mid, caller, wanted, {
      ...{ keepsOthers: body.keep_others, version: body.version },
    });
    const byName = (some: typeof list) => ({ connections: Object.fromEntries(some.map((one) => [one.label, one])) });
    comparison.compare(byName(before.list), byName(list));
    const connections = list.map((one) => {
      const secret = secrets.get(one.id);
      return { ...toConnectionDto(one), ...(secret !== undefined && { secret }) };
    });
    return { status: 'ok' as const, mid, version, connections };
  },
);
