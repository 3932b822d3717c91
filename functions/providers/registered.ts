import { providerA } from './provider-a.ts';
import { providerB } from './provider-b.ts';
import { rdr } from './rdr.ts';
import { serviceDummy } from './service-dummy.ts';
import { stripe } from './stripe.ts';

/** Every alert provider, in the order in which they are shown. What follows from them is in `providers.ts`. */
export const providers = [providerA, providerB, rdr, serviceDummy, stripe] as const;
