import { providerOf, type SigningProvider } from '#disputes/providers/providers.ts';
import { readers } from '#disputes/providers/registered.ts';
import { toStoredCaseName } from './case-name-store.ts';
import { ingestAlert } from './intake-store.ts';
import { toProviderFields } from './mapped-message.ts';
import { type WithdrawalResult, withdrawCase } from './withdrawal-store.ts';

/** Ingests a message in its provider’s format, however it arrived. Throws request_invalid. */
export const ingestMessage = async (provider: SigningProvider, sent: unknown): Promise<WithdrawalResult> => {
  const message = readers[provider](toProviderFields(provider, sent));
  if ('withdrawn' in message) {
    const { caseId, position } = message.withdrawn;
    return withdrawCase(provider, { caseId: (await toStoredCaseName(provider, caseId)).caseId, position });
  }
  const name = await toStoredCaseName(provider, message.alert.caseId);
  return ingestAlert(providerOf(provider), { ...message.alert, ...name });
};
