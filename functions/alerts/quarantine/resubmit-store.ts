import { parse } from '../../core/parse.ts';
import { asSentOf } from '../../providers/lenient.ts';
import { providerA, providerABody, providerAToAlert } from '../../providers/provider-a.ts';
import { providerB, providerBBody, providerBToAlert } from '../../providers/provider-b.ts';
import { rdr, rdrBody, rdrToAlert } from '../../providers/rdr.ts';
import { type IntakeResult, ingestAlert } from '../intake/intake-store.ts';
import { withdrawCase } from '../intake/withdrawal-store.ts';
import type { QuarantineProvider } from './quarantine.ts';

/** Takes a message in its provider's format, however it arrived. Throws request_invalid, and alert_not_found for a withdrawal. */
export const takeMessage = (provider: QuarantineProvider, sent: unknown): Promise<IntakeResult> => {
  if (provider === 'provider_a') {
    const read = parse(providerABody(), sent);
    return ingestAlert(providerA, providerAToAlert(read, asSentOf(sent, read)));
  }
  if (provider === 'provider_b') {
    const read = parse(providerBBody(), sent);
    return read.status === 'REVOKED'
      ? withdrawCase('provider_b', read.caseId)
      : ingestAlert(providerB, providerBToAlert(read, asSentOf(sent, read)));
  }
  const read = parse(rdrBody(), sent);
  return read.event === 'DELETE'
    ? withdrawCase('rdr', read.decisionId)
    : ingestAlert(rdr, rdrToAlert(read, asSentOf(sent, read)));
};
