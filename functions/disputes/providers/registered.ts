// Written by npm run fix, from the files of this folder that declare a provider.
import { adyenWarnings } from './adyen.ts';
import { providerA, providerABody, readProviderA } from './provider-a.ts';
import { providerB, providerBBody, readProviderB } from './provider-b.ts';
import { rdr, rdrBody, readRdr } from './rdr.ts';
import { serviceDummy } from './service-dummy.ts';
import { stripeWarnings } from './stripe.ts';

/** Every alert provider, in the order in which they are shown. What follows from them is in `providers.ts`. */
export const registeredProviders = [adyenWarnings, providerA, providerB, rdr, serviceDummy, stripeWarnings] as const;

/** The readers of signed messages. */
export const readers = {
  provider_a: readProviderA,
  provider_b: readProviderB,
  rdr: readRdr,
} as const;

/** The schemas of what they read. */
export const bodies = {
  provider_a: providerABody,
  provider_b: providerBBody,
  rdr: rdrBody,
} as const;
