import { providerOf, type SigningProvider } from '#disputes/providers/providers.ts';
import { readers } from '#disputes/providers/registered.ts';
import { type IntakeResult, ingestAlert } from './intake-store.ts';
import { withdrawCase } from './withdrawal-store.ts';

/** Ingests a message in its provider’s format, however it arrived. Throws request_invalid, and alert_not_found for a withdrawal. */
export const ingestMessage = async (provider: SigningProvider, sent: unknown): Promise<IntakeResult> => {
  const message = readers[provider](sent);
  return 'withdrawn' in message
    ? withdrawCase(provider, message.withdrawn)
    : ingestAlert(providerOf(provider), message.alert);
};
