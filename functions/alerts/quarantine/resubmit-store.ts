import { parse } from '../../core/http.ts';
import { type IntakeResult, ingestAlert } from '../intake/intake-store.ts';
import { asSentOf } from '../intake/lenient.ts';
import { ProviderABody, providerAToAlert } from '../intake/provider-a.ts';
import { ProviderBBody, providerBToAlert } from '../intake/provider-b.ts';
import { RdrBody, rdrToAlert } from '../intake/rdr.ts';
import { withdrawCase } from '../intake/withdrawal-store.ts';
import type { QuarantineProvider } from './quarantine.ts';

/** Takes a message in the words of its provider, however it came. Throws request_invalid, and alert_not_found of a withdrawal. */
export const takeMessage = (provider: QuarantineProvider, sent: unknown): Promise<IntakeResult> => {
  if (provider === 'provider_a') {
    const read = parse(ProviderABody, sent);
    return ingestAlert(providerAToAlert(read, asSentOf(sent, read)));
  }
  if (provider === 'provider_b') {
    const read = parse(ProviderBBody, sent);
    return read.status === 'REVOKED'
      ? withdrawCase('provider_b', read.caseId)
      : ingestAlert(providerBToAlert(read, asSentOf(sent, read)));
  }
  const read = parse(RdrBody, sent);
  return read.event === 'DELETE'
    ? withdrawCase('rdr', read.decisionId)
    : ingestAlert(rdrToAlert(read, asSentOf(sent, read)));
};
