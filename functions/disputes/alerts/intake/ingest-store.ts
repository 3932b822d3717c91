import { providerOf, type SigningProvider } from '#disputes/providers/providers.ts';
import { readers } from '#disputes/providers/registered.ts';
import { ingestAlert } from './intake-store.ts';
import { type WithdrawalResult, withdrawCase } from './withdrawal-store.ts';

/** Ingests a message in its provider’s format, however it arrived. Throws request_invalid. */
export const ingestMessage = async (provider: SigningProvider, sent: unknown): Promise<WithdrawalResult> => {
  const message = readers[provider](sent);
  return 'withdrawn' in message
    ? withdrawCase(provider, message.withdrawn)
    : ingestAlert(providerOf(provider), message.alert);
};
