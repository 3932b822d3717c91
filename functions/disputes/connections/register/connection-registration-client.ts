import { describeError, log } from '#core/platform/log/log.ts';
import type { Registration } from '#payments/processors/ports/account.ts';
import { registrationLoaders } from '#payments/processors/registered/registered-registrations-client.ts';
import { type ConnectionContext, connectionAccount } from '../connected-processor-registry-client.ts';
import type { Connection } from '../connection.ts';

/** Registers the webhooks of a connection at its processor; `not_offered` if that has no API for it. */
export const registerAtProcessor = async (
  connection: Connection,
  context: ConnectionContext,
  url: string,
): Promise<Registration | 'not_offered'> => {
  const load = registrationLoaders[connection.kind];
  if (!load) return 'not_offered';
  try {
    const register = await load();
    return await register(connectionAccount(connection, context), { url, name: `Forewarn ${connection.id}` });
  } catch (error) {
    log('error', 'connection_unusable', { mid: context.mid, connection: connection.id, error: describeError(error) });
    return { problem: 'credentials', detail: 'The stored credentials cannot be used. Set them again.' };
  }
};
