/** What a function of the API may weigh, zipped: Lambda fetches it before its first call. */
const usualKilobytes = 80;

/** Those that bring a library which they cannot do without; nobody's alert waits for one. See docs/decisions/0045. */
const exceptions: Readonly<Record<string, number>> = {
  // The rules engine, 24 KB of it.
  'rules/dry-run': 100,
  // Adyen's adapter, which keeps what its webhooks tell and acts on it.
  'processors/receive-processor-webhook': 100,
  // The same, for the rules of fraud templates; and the checks of cards and carts.
  'fraud/fraudcheck': 115,
  // The processors' adapters, one of which it asks what it holds.
  'balance/balance': 135,
};

/** The most bytes that a function's archive may have. `name`: `area/name`. */
export const mostZippedBytes = (name: string): number => (exceptions[name] ?? usualKilobytes) * 1024;
