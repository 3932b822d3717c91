import { readConnections } from '#disputes/connections/connection-store.ts';
import { type As, ask } from './operations.ts';

/** Sets a merchant's connections with the version that is stored, so that those that are not named are removed. */
export const replaceConnections = async (
  { mid, as }: { mid: number; as: As },
  connections: unknown,
): ReturnType<typeof ask> => {
  const { version } = await readConnections(mid);
  return ask('connections/set-connections', { as, params: { mid }, body: { connections, version } });
};
