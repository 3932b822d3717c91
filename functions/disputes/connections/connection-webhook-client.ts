import { describeError, log } from '#core/platform/log/log.ts';
import type { WebhookCall, WebhookRead } from '#payments/processors/ports/account.ts';
import { connectionWebhooks } from '#payments/processors/registered/registered-connection-webhooks-client.ts';
import { type ConnectionContext, connectionAccount } from './connected-processor-registry-client.ts';
import type { Connection } from './connection.ts';

/**
 * Reads a webhook with the secret of a connection; undefined if it was not signed with that, or the connection has none.
 */
export const readConnectionWebhook = async (
  connection: Connection,
  context: ConnectionContext,
  call: WebhookCall,
): Promise<WebhookRead> => {
  try {
    return await connectionWebhooks[connection.kind]?.(connectionAccount(connection, context), call);
  } catch (error) {
    log('error', 'connection_unusable', { mid: context.mid, connection: connection.id, error: describeError(error) });
    throw error;
  }
};
