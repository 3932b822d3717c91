import { endpoint } from '#core/platform/http/http.ts';
import type { SecretName } from '#core/platform/operation/grants.ts';
import type { Operation } from '#core/platform/operation/operation.ts';
import type { SigningProvider } from '#disputes/providers/providers.ts';
import { quarantining } from '../quarantine/quarantine-store.ts';
import { ingestMessage } from './ingest-store.ts';
import { AnyMessage, type IntakeReply } from './intake-schemas.ts';
import { requireSignature } from './intake-signature-store.ts';

type IntakeOperation = Operation & { reply: typeof IntakeReply };

/**
 * The handler of a provider's intake. The provider's reader checks the body, after the stage's mapping was applied; what it refuses is
 * quarantined.
 */
export const receiveMessages = (
  operation: IntakeOperation,
  { name, secret }: { name: SigningProvider; secret: SecretName },
) =>
  endpoint({ ...operation, body: AnyMessage }, ({ sent }) => ingestMessage(name, sent), {
    authenticate: requireSignature(secret),
    onRefusal: quarantining(name),
    decodes: true,
  });
