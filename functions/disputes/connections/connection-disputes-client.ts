import { describeError, log } from '#core/platform/log/log.ts';
import type { DisputePort } from '#payments/processors/ports/dispute.ts';
import { disputesAt } from '#payments/processors/ports/disputes-client.ts';
import { type ConnectionContext, connectionAccount } from './connected-processor-registry-client.ts';
import type { Connection } from './connection.ts';

/**
 * The disputes of a merchant's own account; undefined if its processor reports none, or if the stored credentials cannot be
 * opened.
 */
export const loadConnectionDisputes = async (
  connection: Connection,
  context: ConnectionContext,
): Promise<DisputePort | undefined> => {
  try {
    return await disputesAt(connection.kind, connectionAccount(connection, context));
  } catch (error) {
    log('error', 'connection_unusable', { mid: context.mid, connection: connection.id, error: describeError(error) });
    return undefined;
  }
};
