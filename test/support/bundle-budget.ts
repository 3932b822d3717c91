/** What a function of the API may weigh, zipped: Lambda fetches it before its first call. */
const usualKilobytes = 80;

/**
 * Those that bring a library which they cannot do without; no alert waits for one. See docs/decisions/0045. What stands in files
 * of its own there, and is loaded when it is first wanted, is fetched all the same.
 */
const exceptions: Readonly<Record<string, number>> = {
  // The rules engine, 24 KB of it.
  'rules/dry-run': 100,
  // The same, for the rules of fraud templates; and the checks of cards and carts.
  'fraud/fraudcheck': 115,
  // The adapters of all processors, of which Stripe's package and the XML parser for NMI are the most: which one is asked is
  // known when the site is read. Some 3 KB are the rows of the order that a payment may have.
  // Of them, those that refund or settle answer the alert as well.
  'transactions/processrefund': 170,
  // And the gateways to merchants' own processors besides.
  'refunds/refund-alert': 198,
  'transactions/flagcapture': 163,
  'transactions/sendauth': 165,
  'transactions/resendauth': 163,
  'transactions/requery': 176,
  'transactions/payer-page': 164,
  'transactions/payer-page-answer': 164,
  // The gateways to merchants' own processors, with the package of Stripe and the XML parser for NMI.
  'connections/test-connection': 135,
  'connections/alert-transactions': 142,
  'balance/balance': 160,
  // The same, and the rules engine for sites whose fraud template has rules.
  'transactions/singletx': 205,
  'transactions/convertnpay': 205,
  'transactions/payout': 205,
  // The clients of three services, and the rows of a site, its claims and its orders.
  'orders/lookup-provider-a': 82,
  'orders/lookup-provider-b': 81,
  // How providers' spellings are read leniently, and the checks of rows that are read.
  'alerts/receive-provider-a': 81,
  'alerts/receive-provider-b': 81,
  'alerts/receive-rdr': 81,
  // The client of the mail service, by which a link to set the password is sent.
  'auth/create-user': 90,
  'auth/update-user': 91,
  // Adyen's adapter, which keeps what its webhooks tell and acts on it; and the XML parser, in which Braintree's come.
  'transactions/receive-processor-webhook': 115,
  // The table of card numbers, by which a card is read; and what goes into an AReq, the numbers of countries and currencies among it.
  'threeds/authenticate': 86,
};

/** The most bytes that a function's archive may have. `name`: `area/name`. */
export const mostZippedBytes = (name: string): number => (exceptions[name] ?? usualKilobytes) * 1024;
