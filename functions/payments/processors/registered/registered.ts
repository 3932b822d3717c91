// Written by npm run fix, from the folders of functions/payments/processors that declare a processor.
import type { ProcessorTraits } from '../ports/declaration.ts';

/** Every processor, in the order in which they are shown. What follows from them is in `processors.ts`. */
export const processors = [
  {
    name: 'sandbox',
    sendsWebhooks: false,
    tellsOfLapses: true,
    capturesLater: false,
    paysOut: true,
    namesAccount: false,
    connection: { place: 5, listsDisputes: false },
  },
  {
    name: 'stripe',
    sendsWebhooks: true,
    tellsOfLapses: true,
    capturesLater: false,
    paysOut: false,
    namesAccount: false,
    connection: { place: 1, listsDisputes: true },
  },
  {
    name: 'adyen',
    sendsWebhooks: true,
    tellsOfLapses: true,
    capturesLater: true,
    paysOut: false,
    namesAccount: true,
    connection: { place: 4, listsDisputes: false },
  },
  {
    name: 'nmi',
    sendsWebhooks: true,
    tellsOfLapses: false,
    capturesLater: false,
    paysOut: false,
    namesAccount: false,
    connection: { place: 2, listsDisputes: true },
  },
  {
    name: 'braintree',
    sendsWebhooks: true,
    tellsOfLapses: false,
    capturesLater: false,
    paysOut: false,
    namesAccount: true,
    connection: { place: 3, listsDisputes: true },
  },
] as const satisfies readonly ProcessorTraits[];
