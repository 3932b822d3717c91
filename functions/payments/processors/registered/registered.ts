// Written by npm run fix, from the folders of functions/payments/processors that declare a processor.
import type { ProcessorTraits } from '../ports/declaration.ts';

/** Every processor, in the order in which they are shown. What follows from them is in `processors.ts`. */
export const processors = [
  { name: 'sandbox', takesPayments: true, sendsWebhooks: false, tellsOfLapses: true, capturesLater: false, paysOut: true, namesAccount: false, connection: { place: 5, listsDisputes: false, isAtMerchant: false } },
  { name: 'stripe', takesPayments: true, sendsWebhooks: true, tellsOfLapses: true, capturesLater: false, paysOut: false, namesAccount: false, connection: { place: 1, listsDisputes: true, isAtMerchant: false } },
  { name: 'adyen', takesPayments: true, sendsWebhooks: true, tellsOfLapses: true, capturesLater: true, paysOut: false, namesAccount: true, connection: { place: 4, listsDisputes: false, isAtMerchant: false } },
  { name: 'nmi', takesPayments: true, sendsWebhooks: true, tellsOfLapses: false, capturesLater: false, paysOut: false, namesAccount: false, connection: { place: 2, listsDisputes: true, isAtMerchant: false } },
  { name: 'braintree', takesPayments: true, sendsWebhooks: true, tellsOfLapses: false, capturesLater: false, paysOut: false, namesAccount: true, connection: { place: 3, listsDisputes: true, isAtMerchant: false } },
  { name: 'http', takesPayments: false, sendsWebhooks: true, tellsOfLapses: true, capturesLater: false, paysOut: false, namesAccount: true, connection: { place: 6, listsDisputes: true, isAtMerchant: true } },
  { name: 'paypal', takesPayments: false, sendsWebhooks: true, tellsOfLapses: true, capturesLater: false, paysOut: false, namesAccount: true, connection: { place: 7, listsDisputes: true, isAtMerchant: false } },
  { name: 'checkout_com', takesPayments: false, sendsWebhooks: true, tellsOfLapses: true, capturesLater: false, paysOut: false, namesAccount: true, connection: { place: 8, listsDisputes: true, isAtMerchant: false } },
  { name: 'shopify', takesPayments: false, sendsWebhooks: true, tellsOfLapses: true, capturesLater: false, paysOut: false, namesAccount: true, connection: { place: 9, listsDisputes: true, isAtMerchant: false } },
  { name: 'authorize_net', takesPayments: false, sendsWebhooks: false, tellsOfLapses: true, capturesLater: false, paysOut: false, namesAccount: true, connection: { place: 10, listsDisputes: false, isAtMerchant: false } },
] as const satisfies readonly ProcessorTraits[];
