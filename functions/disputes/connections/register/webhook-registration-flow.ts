import { Refusal } from '#core/platform/operation/errors.ts';
import type { Caller } from '#core/platform/operation/operation.ts';
import { keyRing } from '#core/platform/secrets/secrets.ts';
import type { ConnectionTrouble } from '#payments/processors/ports/connected-processor.ts';
import { addKeys, connectionsForCaller } from '../connection-store.ts';
import { registerAtProcessor } from './connection-registration-client.ts';

type At = { mid: number; id: string; caller: Caller; url: string };

/**
 * Registers the webhooks of a connection and stores what they are signed with; earlier registrations are removed after that, so webhooks
 * are checked by a stored key at any time. Repeating it is harmless. Throws merchant_not_found, connection_not_found, changed_meanwhile.
 */
export const registerWebhook = async ({
  mid,
  id,
  caller,
  url,
}: At): Promise<'registered' | 'not_offered' | ConnectionTrouble> => {
  const before = await connectionsForCaller(mid, caller);
  const connection = before.list.find((one) => one.id === id);
  if (!connection) throw new Refusal('connection_not_found', 'id: the merchant has no such connection.');
  const ring = await keyRing('encryption');
  const registration = await registerAtProcessor(connection, { mid, ring }, url);
  if (registration === 'not_offered' || 'problem' in registration) return registration;
  await addKeys(mid, before, connection, registration.keys, ring);
  await registration.retire?.();
  return 'registered';
};
