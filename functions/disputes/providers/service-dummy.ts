import { defineProvider } from './provider.ts';
import { providerA } from './provider-a.ts';

/** Replaces a network in the test alerts that merchants make; they are answered like provider_a's. */
export const serviceDummy = defineProvider({
  name: 'service_dummy',
  secret: null,
  enrolledBy: null,
  reasons: providerA.reasons,
  reasonsSince: providerA.reasonsSince,
  codesWithAmount: providerA.codesWithAmount,
  answerHours: providerA.answerHours,
  ruleable: true,
  outcomes: null,
});
