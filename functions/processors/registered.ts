/**
 * What the service must know about a processor wherever payments go through it. Little plain data, as it is in the bundles of
 * functions that load no processor; the credentials and currencies that it takes are in its declaration, see `declared.ts`.
 */
export type ProcessorTraits = {
  name: string;
  /** Whether it sends webhooks to a site, each site at its own address. */
  sendsWebhooks: boolean;
  /** Whether it reports that an authorisation has lapsed; if not, we must check. */
  tellsOfLapses: boolean;
  /** Whether money can be paid out to a card through it: see docs/decisions/0124-payouts.md. The adapters say the same. */
  paysOut: boolean;
  /** Whether its credentials name their account. */
  namesAccount: boolean;
  /**
   * Merchants who take payments there without us can connect it; null: they cannot. `place`: in the lists of kinds, which keep the
   * order that they have had. `listsDisputes`: whether it can be asked which disputes have come up.
   */
  connection: { place: number; listsDisputes: boolean } | null;
};

/** Every processor, in the order in which they are shown. What follows from them is in `processors.ts`. */
export const processors = [
  {
    name: 'sandbox',
    sendsWebhooks: false,
    tellsOfLapses: true,
    paysOut: true,
    namesAccount: false,
    connection: { place: 5, listsDisputes: false },
  },
  {
    name: 'stripe',
    sendsWebhooks: true,
    tellsOfLapses: true,
    paysOut: false,
    namesAccount: false,
    connection: { place: 1, listsDisputes: true },
  },
  {
    name: 'adyen',
    sendsWebhooks: true,
    tellsOfLapses: true,
    paysOut: false,
    namesAccount: true,
    connection: { place: 4, listsDisputes: false },
  },
  {
    name: 'nmi',
    sendsWebhooks: true,
    tellsOfLapses: false,
    paysOut: false,
    namesAccount: false,
    connection: { place: 2, listsDisputes: true },
  },
  {
    name: 'braintree',
    sendsWebhooks: true,
    tellsOfLapses: false,
    paysOut: false,
    namesAccount: true,
    connection: { place: 3, listsDisputes: true },
  },
] as const satisfies readonly ProcessorTraits[];
