/** The zipped size limit of a function of the API: Lambda fetches it before its first call. */
const usualKilobytes = 80;

/**
 * Functions with a library that they need; no alert waits for one. See docs/decisions/0046. Files that are loaded lazily are still
 * fetched.
 */
// The finder of card numbers, which every text field and every writer has, is about one kilobyte of each; what API keys may call is half a kilobyte.
// The schemas of whole rows are up to three kilobytes of each function that reads payments or alerts.
// The content of e-mails about alerts, which is stored before its form, is half a kilobyte of those that write or read e-mails; each key of a row is
// some bytes of every function.
const exceptions: Readonly<Record<string, number>> = {
  // The rules engine, 24 KB of it, and the gateways to merchants' own processors, where it looks for charges; and the readers of orders,
  // prices and programmes, which rules compare.
  // Gateways include the one to merchants' own services, with the rules of addresses that may be called: 11 KB of each.
  // The lists of charges, for imports, are about one kilobyte for each kind.
  'rules/dry-run': 217,
  // The rules engine, and the readers of prices and rules.
  'history/past-year': 95,
  // The rules of addresses, and the schemas of a whole enrollment.
  'onboarding/enroll-retailer-site': 82,
  // The declarations of all processors, and which of them a person can sign in at.
  'processors/set-site-processors': 81,
  // The same, for the rules of fraud templates; the checks of cards and carts; and the clients of two scorers.
  // Also which currencies a template's rules cover.
  'fraud/fraudcheck': 113,
  // The largest of the usual ones; every endpoint also counts its internal errors, which undo a release in progress.
  'cardsearch/card-search-and-email': 84,
  // The same, whose lines also have the alert's number and the trace.
  // Rules with all their facts, and the checks of a draft.
  'rules/back-test': 83,
  // The source of a site's orders: its keys are sealed, its address follows the rules of webhooks, and its change is mailed to the managers.
  'orders/set-order-profile': 84,
  // An order's dates and refunds are checked, and its answer is kept for its idempotency key.
  'orders/create-order': 81,
  // The adapters of all processors, of which Stripe's package and the XML parser for NMI are the most: which one is asked is known when the
  // site is read. Some 3 KB are the rows of the order that a payment may have. Those that refund or settle answer the alert as well, and
  // write the e-mail about a returned refund. Also the schema of a whole ledger; the kept answers of idempotency keys; the search for the
  // alert that holds the payment; and the alert's number and trace in every log line.
  'refunds/processrefund': 184,
  // Also the gateways to merchants' own processors, Adyen's among them, which orders name. They also report when a charge was charged back.
  // Each processor marks first payments and repeats of stored cards.
  // What Adyen's webhooks report about defenses is a tenth of a kilobyte of each function that reads them.
  'refunds/refund-alert': 243,
  'transactions/flagcapture': 167,
  'transactions/sendauth': 166,
  'transactions/resendauth': 163,
  'refunds/requery': 176,
  'transactions/payer-page': 164,
  'transactions/payer-page-answer': 164,
  // The gateways to merchants' own processors, with the package of Stripe and the XML parser for NMI. A further one is about 5 KB.
  'connections/test-connection': 166,
  // The sign-in at a processor: the client that exchanges its code, and what may be asked of a processor in JSON.
  'connections/set-connections': 86,
  // The package of Stripe, for its webhook endpoints.
  'connections/register-webhook': 116,
  'connections/alert-transactions': 180,
  'balance/balance': 160,
  // The same, and the rules engine for sites whose fraud template has rules; the list of a card, and e-mails about payments.
  'transactions/singletx': 211,
  'transactions/convertnpay': 211,
  'transactions/payout': 210,
  // The package of the Model Context Protocol, with zod and ajv, which checks inputs by their JSON schemas: see docs/decisions/0187.
  'agents/mcp': 150,
  // The library that verifies the signatures of passkeys: CBOR, ASN.1 and certificates.
  'auth/finish-passkey-setup': 150,
  'auth/finish-passkey-sign-in': 150,
  // The library that verifies identity tokens, and the client for addresses that merchants chose.
  'auth/finish-single-sign-on': 85,
  // The client of the mail service, by which a link to set the password is sent; and the notice to the managers.
  // The link is in a letter, which is written at once.
  'auth/create-user': 97,
  // And the schema of a whole user with its settings.
  'auth/update-user': 97,
  // Adyen's adapter, which keeps what its webhooks tell and acts on it; and the XML parser, in which Braintree's come.
  'transactions/receive-processor-webhook': 99,
  // The processor of the payment is asked: the same package and parser, and what packs a ZIP.
  // And uploads to Stripe, and the client of the bucket. The evidence for PayPal and Shopify is 3 KB.
  // Also the library that writes and merges PDF files, which is loaded only for processors that need the response as a PDF.
  // The evidence for Adyen and Checkout.com is 5 KB.
  'chargebacks/chargeback-evidence': 430,
  // The library that writes and merges PDF files, with the measures of its fonts; and the reader of the order.
  'chargebacks/build-packet': 328,
  // Each order is checked by itself, with words for what is wrong; and kept answers of idempotency keys.
  'orders/create-orders': 82,
  // The 3DS server's messages and the checks of a browser's data; and the due check of a challenge, with the schema of its message.
  'threeds/authenticate': 84,
  // The settings and secrets of a site, with the keys of all rows.
  'threeds/create3ds': 81,
  // The XML parser, in which Braintree's come.
  'connections/receive-connection-webhook': 109,
  // The schemas of all rows that a new alert writes, and of the work that they wait for; withdrawals before their case, and dispute cases.
  // The second format of provider_a is half a kilobyte, and the mapping of resellers' messages one: the readers of all providers are in one list.
  'alerts/receive-provider-a': 90,
  'alerts/receive-provider-b': 90,
  'alerts/receive-rdr': 90,
  // An alert with the letter about it.
  'alerts/create-test-alert': 81,
  // An alert, its hold and the ledger of its payment.
  'refunds/link-alert': 81,
  // And the sealed names of cases that look like card numbers.
  'alerts/resubmit-quarantined': 90,
};

/** The most bytes that a function's archive may have. `name`: `area/name`. */
export const maxZippedBytes = (name: string): number => (exceptions[name] ?? usualKilobytes) * 1024;
