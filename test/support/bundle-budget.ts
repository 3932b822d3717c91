/** What a function of the API may weigh, zipped: Lambda fetches it before its first call. */
const usualKilobytes = 80;

/**
 * Those that bring a library which they cannot do without; no alert waits for one. See docs/decisions/0045. What stands in files
 * of its own there, and is loaded when it is first wanted, is fetched all the same.
 */
const exceptions: Readonly<Record<string, number>> = {
  // The rules engine, 24 KB of it.
  'rules/dry-run': 100,
  // The processors' adapters, one of which it asks what it holds.
  'balance/balance': 135,
  'fraud/fraudcheck': 115,
  // The adapters of all processors, of which Stripe's package is the most: which one is asked is known when the site is read.
  'transactions/processrefund': 130,
  // The same, and the rules engine for sites whose fraud template has rules.
  'transactions/singletx': 170,
  'transactions/convertnpay': 170,
  'transactions/payout': 170,
  // Adyen's webhooks are read by its adapter.
  'processors/receive-processor-webhook': 90,
  // The table of card numbers, by which the scheme of a BIN is known.
  'pricing/bin-payment-options': 84,
};

/** The most bytes that a function's archive may have. `name`: `area/name`. */
export const mostZippedBytes = (name: string): number => (exceptions[name] ?? usualKilobytes) * 1024;
