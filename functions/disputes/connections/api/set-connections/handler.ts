import { auditedEndpoint } from '#core/platform/audit/audit-store.ts';
import { type Connection, toConnectionDto } from '../../connection.ts';
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
    const all = [...before.list, ...list];
    comparison.compare({ connections: byName(before.list, all) }, { connections: byName(list, all) });
    const connections = list.map((one) => {
      const secret = secrets.get(one.id);
      return { ...toConnectionDto(one), ...(secret !== undefined && { secret }) };
    });
    return { status: 'ok' as const, mid, version, connections };
  },
);

/** Connections by their names, with the identifier where another has the same name. */
const byName = (some: readonly Connection[], all: readonly Connection[]): Record<string, Connection> =>
  Object.fromEntries(
    some.map((one) => {
      const isShared = all.some(({ id, label }) => label === one.label && id !== one.id);
      return [isShared ? `${one.label} ${one.id}` : one.label, one];
    }),
  );
