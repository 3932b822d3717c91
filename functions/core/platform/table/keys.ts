/** The only place where a key is spelled: one row per access pattern. `docs/data-model.md` explains each. */
export const keys = {
  /** A call of an audited operation: its caller and result. */
  audit: (id: string) => ({ pk: `AUDIT#${id}`, sk: 'AUDIT' }),
  /** The last number given out: mid, rid, sid, enrollment. */
  counter: (name: string) => ({ pk: `COUNTER#${name}`, sk: 'COUNTER' }),
  user: (username: string) => ({ pk: `USER#${username}`, sk: 'USER' }),
  /** By digest: an unknown username may be a password or a card number in the wrong field. */
  signInFailures: (digest: string) => ({ pk: `SIGN_IN#${digest}`, sk: 'FAILURES' }),
  /** A long-lived token that was issued, and whether it was revoked. */
  token: (jti: string) => ({ pk: `TOKEN#${jti}`, sk: 'TOKEN' }),
  /** An API key of a merchant's program. */
  apiKey: (id: number) => ({ pk: `API_KEY#${id}`, sk: 'API_KEY' }),
  /** The requests of an API key on a day, in one partition: the gateway's throttle of 200 a second bounds its writes. */
  keyRequestDay: (id: number, day: string) => `KEY_REQUESTS#${id}#${day}`,
  keyRequest: (id: number, at: string, requestId: string) => ({
    pk: `KEY_REQUESTS#${id}#${at.slice(0, 10)}`,
    sk: `${at}#${requestId}`,
  }),
  session: (id: string) => ({ pk: `SESSION#${id}`, sk: 'SESSION' }),
  /** A sign-in that waits for a code of the second factor. */
  challenge: (id: string) => ({ pk: `CHALLENGE#${id}`, sk: 'CHALLENGE' }),
  /** The user of a passkey. By digest: a credential's identifier may be longer than a key. */
  passkey: (digest: string) => ({ pk: `PASSKEY#${digest}`, sk: 'PASSKEY' }),
  /** A challenge that a device has to sign. */
  passkeyChallenge: (id: string) => ({ pk: `CHALLENGE#${id}`, sk: 'PASSKEY' }),
  /** A merchant's identity provider. */
  singleSignOn: (mid: number) => ({ pk: `MERCHANT#${mid}`, sk: 'SINGLE_SIGN_ON' }),
  /** A sign-in that was sent to an identity provider. */
  ssoAttempt: (state: string) => ({ pk: `SSO_ATTEMPT#${state}`, sk: 'SSO_ATTEMPT' }),
  /** The user of a person at an identity provider. */
  ssoIdentity: (digest: string) => ({ pk: `SSO_IDENTITY#${digest}`, sk: 'SSO_IDENTITY' }),
  /** The daily e-mail of a user about alerts: when the next one is due. */
  digest: (username: string) => ({ pk: `DIGEST#${username}`, sk: 'DIGEST' }),
  /** A user who gets the monthly report. All in one partition, which is read in order once a month. */
  monthlyReport: (username: string) => ({ pk: 'MONTHLY_REPORTS#ALL', sk: username }),
  /** The devices on which a user gets notifications. */
  devices: (username: string) => ({ pk: `DEVICES#${username}`, sk: 'DEVICES' }),
  /** A link by which a user sets a password. By digest, because the link alone is enough to set the password. */
  passwordLink: (digest: string) => ({ pk: `PASSWORD_LINK#${digest}`, sk: 'PASSWORD_LINK' }),
  merchant: (mid: number) => ({ pk: `MERCHANT#${mid}`, sk: 'MERCHANT' }),
  retailer: (rid: number) => ({ pk: `RETAILER#${rid}`, sk: 'RETAILER' }),
  site: (sid: number) => ({ pk: `SITE#${sid}`, sk: 'SITE' }),
  /** A note that the site's endpoint hung at a slot. */
  siteHanging: (sid: number) => ({ pk: `SITE#${sid}`, sk: 'HANGING' }),
  /** The site of an rcode. By digest: 32 random characters cannot be guessed back from it. */
  rcode: (digest: string) => ({ pk: `RCODE#${digest}`, sk: 'RCODE' }),
  alert: (alertId: number) => ({ pk: `ALERT#${alertId}`, sk: 'ALERT' }),
  /** By the version that the change made: times from two functions do not tell which wrote first. */
  alertHistory: (alertId: number, version: number) => ({
    pk: `ALERT#${alertId}`,
    sk: `HISTORY#v${String(version).padStart(9, '0')}`,
  }),
  /** Events of an outcome, sorted after the alert's own entry for the version known then. */
  outcomeHistory: (alertId: number, version: number, outcome: { number: number; version: number }) => ({
    pk: `ALERT#${alertId}`,
    sk: `HISTORY#v${String(version).padStart(9, '0')}#OUTCOME#${outcome.number}#${String(outcome.version).padStart(6, '0')}`,
  }),
  /** A person's note about an alert, by request: one that is sent twice is one note. */
  alertNote: (alertId: number, id: string) => ({ pk: `ALERT#${alertId}`, sk: `NOTE#${id}` }),
  /** One per case of a provider: makes a replay of it harmless. */
  providerCase: (provider: string, caseId: string) => ({ pk: `CASE#${provider}#${caseId}`, sk: 'CASE' }),
  /** A message that a provider signed and that could not be read. */
  quarantined: (id: string) => ({ pk: `QUARANTINE#${id}`, sk: 'QUARANTINE' }),
  /** The first dispute alert of a site with this ARN or fingerprint. */
  firstDispute: (sid: number, fingerprint: string) => ({ pk: `DISPUTE#${sid}#${fingerprint}`, sk: 'DISPUTE' }),
  /** A later alert about the payment of a dispute case, in the partition of the case's first alert. */
  caseAlert: (caseId: number, alertId: number) => ({ pk: `ALERT#${caseId}`, sk: `CASE_ALERT#${alertId}` }),
  /** The site that enrolled a text; `how` is EXACT or PREFIX, BIN_CAID or ARN. */
  claims: (provider: string, how: string, text: string) => ({ pk: `CLAIMS#${provider}#${how}#${text}`, sk: 'CLAIMS' }),
  enrollment: (enrollmentId: number) => ({ pk: `ENROLLMENT#${enrollmentId}`, sk: 'ENROLLMENT' }),
  delivery: (deliveryId: string) => ({ pk: `DELIVERY#${deliveryId}`, sk: 'DELIVERY' }),
  /** The message to a provider that is due for one update of an alert. */
  outcome: (outcomeId: string) => ({ pk: `OUTCOME#${outcomeId}`, sk: 'OUTCOME' }),
  /** The fate of e-mails to an address; by digest, as the address names a person. */
  mailAddress: (digest: string) => ({ pk: `MAIL_ADDRESS#${digest}`, sk: 'MAIL_ADDRESS' }),
  mail: (mailId: string) => ({ pk: `MAIL#${mailId}`, sk: 'MAIL' }),
  /** An entry that was added to a data source; the query of its partition lists them by id. */
  dataEntry: (source: string, id: number) => ({
    pk: `DATASOURCE#${source}`,
    sk: `ENTRY#${String(id).padStart(12, '0')}`,
  }),
  /** The owner of a name at `retailer-site-enrollment`: one row per merchant and name. */
  retailerName: (mid: number, name: string) => ({ pk: `MERCHANT#${mid}`, sk: `RETAILER_NAME#${name}` }),
  /** The reply to a call with an idempotency key. By digest: the key is the caller's own text. */
  idempotency: (scope: string, digest: string) => ({ pk: `IDEMPOTENCY#${scope}#${digest}`, sk: 'IDEMPOTENCY' }),
  /** An informational alert under one term by which it is found; a partition each, as counts are kept by partition. */
  informTerm: (alertId: number, term: string) => ({ pk: `INFORM#${alertId}#${term}`, sk: 'INFORM' }),
  /** An owner's rules in order, and in the same partition the small row that records whether any is in use. */
  ruleBook: (owner: string) => ({ pk: `RULES#${owner}`, sk: 'BOOK' }),
  ruleHead: (owner: string) => ({ pk: `RULES#${owner}`, sk: 'HEAD' }),
  /** One version of a rule; the query of its partition lists them. */
  ruleVersion: (ruleId: number, version: number) => ({
    pk: `RULE#${ruleId}`,
    sk: `VERSION#${String(version).padStart(9, '0')}`,
  }),
  /** An alert whose rules are still to be evaluated. */
  decision: (alertId: number) => ({ pk: `ALERT#${alertId}`, sk: 'DECISION' }),
  /** The refund of an alert at its merchant's own processor; for any refund begun by a rule, what the rule decided on. */
  refund: (alertId: number) => ({ pk: `ALERT#${alertId}`, sk: 'REFUND' }),
  /** The refunds of one charge at a merchant's own processor, for all alerts. */
  chargeRefunds: (connection: string, reference: string) => ({
    pk: `CHARGE#${connection}#${reference}`,
    sk: 'REFUNDS',
  }),
  /** The number of automatic refunds that a site has begun on a day. */
  dailyRefunds: (sid: number, day: string) => ({ pk: `REFUNDS#${sid}`, sk: `DAY#${day}` }),
  /** The comparison of a provider's bill of a month with its alerts. All of them are read at once: a year has two dozen. */
  statement: (provider: string, month: string) => ({ pk: 'STATEMENTS#ALL', sk: `${month}#${provider}` }),
  /** A page of what was found in it, by the time of its import. */
  statementFindings: (provider: string, month: string, importedAt: string, page: number) => ({
    pk: `STATEMENT#${provider}#${month}`,
    sk: `${importedAt}#${String(page).padStart(4, '0')}`,
  }),
  alertPrices: (mid: number) => ({ pk: `MERCHANT#${mid}`, sk: 'ALERT_PRICES' }),
  /** The cost of an alert, and its credit; a partition of its own, as counts are kept by partition. */
  alertCost: (alertId: number) => ({ pk: `COST#${alertId}`, sk: 'COST' }),
  /** The daily costs and savings of the alerts of a merchant (`M1`) or a site (`S1`). */
  costDay: (owner: string, day: string) => ({ pk: `COSTS#${owner}`, sk: `DAY#${day}` }),
  /** A merchant's fees for disputes, by processor. */
  chargebackFees: (mid: number) => ({ pk: `MERCHANT#${mid}`, sk: 'CHARGEBACK_FEES' }),
  /** A chargeback whose rules are still to be evaluated. */
  chargebackDecision: (id: string) => ({ pk: `CHARGEBACK#${id}`, sk: 'DECISION' }),
  /** A dispute that an issuer has raised. */
  chargeback: (id: string) => ({ pk: `CHARGEBACK#${id}`, sk: 'CHARGEBACK' }),
  /** The daily look for disputes at a merchant's own connection. */
  disputeLook: (mid: number, connection: string) => ({ pk: `MERCHANT#${mid}`, sk: `DISPUTE_LOOK#${connection}` }),
  /** A dispute that a webhook named. It is due until the processor has been queried. */
  disputeNotice: (id: string) => ({ pk: `CHARGEBACK#${id}`, sk: 'NOTICE' }),
  /** A chargeback that the sandbox makes, or spares. */
  sandboxDispute: (id: string) => ({ pk: `SANDBOX_DISPUTE#${id}`, sk: 'DISPUTE' }),
  /** A back-test of draft rules; in the same partition are the draft, and pages of alerts on which it differs. */
  backTest: (id: string) => ({ pk: `BACK_TEST#${id}`, sk: 'BACK_TEST' }),
  backTestDraft: (id: string) => ({ pk: `BACK_TEST#${id}`, sk: 'DRAFT' }),
  backTestPage: (id: string, page: number) => ({ pk: `BACK_TEST#${id}`, sk: `PAGE#${String(page).padStart(6, '0')}` }),
  /** An import of a connection's history. */
  historyImport: (id: string) => ({ pk: `IMPORT#${id}`, sk: 'IMPORT' }),
  /** The latest import of a connection: only one runs at a time. */
  latestImport: (mid: number, connection: string) => ({ pk: `MERCHANT#${mid}`, sk: `IMPORT#${connection}` }),
  /** A dispute of a merchant's past, by its charge. By digest: the reference is the processor's own text. */
  pastDispute: (mid: number, connection: string, digest: string) => ({
    pk: `HISTORY#${mid}`,
    sk: `DISPUTE#${connection}#${digest}`,
  }),
  /** The number of alerts of a site, a descriptor or a card in each hour of a day. */
  volume: (sid: number, name: string, day: string) => ({ pk: `VOLUME#${sid}#${name}`, sk: `DAY#${day}` }),
  /** An alert that the volumes have counted. */
  volumeMark: (alertId: number) => ({ pk: `ALERT#${alertId}`, sk: 'VOLUME' }),
  /** The results of the alerts that a merchant (`M12`) or a site (`S7`) had on a day; the query of its partition reads a span. */
  alertDay: (scope: string, day: string) => ({ pk: `REPORT#${scope}`, sk: `DAY#${day}` }),
  /** An acquirer's figures for a merchant's month, by scheme. */
  monthFigures: (mid: number, month: string, scheme: string) => ({
    pk: `MERCHANT#${mid}`,
    sk: `FIGURES#${month}#${scheme}`,
  }),
  /** The state in which reports have counted an alert. */
  alertDayMark: (alertId: number) => ({ pk: `ALERT#${alertId}`, sk: 'REPORT' }),
  /** A transaction: one row per operation. */
  transaction: (txid: number) => ({ pk: `TX#${txid}`, sk: 'TX' }),
  /** A processor's report about a transaction. It is due until the processor has been queried. */
  transactionNews: (txid: number) => ({ pk: `TX#${txid}`, sk: 'NEWS' }),
  /** The amounts of a parent transaction: authorized, captured, refunded, voided, in flight and disputed. */
  ledger: (parentTxid: number) => ({ pk: `TX#${parentTxid}`, sk: 'LEDGER' }),
  /** Which transaction a merchant's `tid` made. By digest: it is the merchant's own text. */
  tid: (sid: number, digest: string) => ({ pk: `TID#${sid}#${digest}`, sk: 'TID' }),
  /** The order for which a hash was used, by the hash's digest. */
  orderHash: (sid: number, digest: string) => ({ pk: `HASH#${sid}#${digest}`, sk: 'HASH' }),
  /** A processor's reference, so that its webhooks find the transaction. */
  processorReference: (processor: string, reference: string) => ({
    pk: `PROCESSED#${processor}#${reference}`,
    sk: 'TX',
  }),
  /**
   * The content of Adyen's webhooks to a site about a reference; in the same partition, whether a payment of unknown state is kept or
   * ended. By site: one site's webhook key must not speak for another's payments.
   */
  adyenNotice: (scope: string, reference: string, event: string) => ({
    pk: `ADYEN#${scope}#${reference}`,
    sk: `NOTICE#${event}`,
  }),
  adyenDecision: (scope: string, reference: string) => ({ pk: `ADYEN#${scope}#${reference}`, sk: 'DECISION' }),
  /** The process that performs an operation at a processor without idempotency keys. By digest: keys are callers' texts. */
  processorClaim: (scope: string, digest: string) => ({ pk: `CLAIM#${scope}#${digest}`, sk: 'CLAIM' }),
  /** A part of a site's funds; spread so that simultaneous payments do not conflict. */
  balance: (sid: number, shard: number) => ({ pk: `BALANCE#${sid}#${shard}`, sk: 'BALANCE' }),
  /** The processors a site routes its payments to. */
  siteProcessors: (sid: number) => ({ pk: `SITE#${sid}`, sk: 'PROCESSORS' }),
  /** The processing fees of a site's payment methods. */
  siteFees: (sid: number) => ({ pk: `SITE#${sid}`, sk: 'FEES' }),
  /** A payment as the sandbox processor knows it; and one that it knows by the caller's idempotency key. */
  sandboxPayment: (id: string) => ({ pk: `SANDBOX#${id}`, sk: 'PAYMENT' }),
  /** The state of a sample charge of the sandbox as a merchant's own processor. */
  sandboxCharge: (mid: number, id: string) => ({ pk: `SANDBOXCHARGE#${mid}#${id}`, sk: 'CHARGE' }),
  /** A merchant's connections to its own processors, in order. */
  connections: (mid: number) => ({ pk: `MERCHANT#${mid}`, sk: 'CONNECTIONS' }),
  /** A payer's authentication; in the same partition is the value that proves it, which is kept for a shorter time. */
  authentication: (id: number) => ({ pk: `3DS#${id}`, sk: '3DS' }),
  authenticationValue: (id: number) => ({ pk: `3DS#${id}`, sk: 'VALUE' }),
  /** The authentication of a transaction at the 3DS server: issuers know it only by that number. */
  authenticationRef: (serverTransId: string) => ({ pk: `3DSREF#${serverTransId}`, sk: '3DS' }),
  /** A challenge as the sandbox's issuers know it. */
  sandboxChallenge: (serverTransId: string) => ({ pk: `SANDBOX3DS#${serverTransId}`, sk: 'CHALLENGE' }),
  /** An exchange rate that an administrator set; the query of its partition lists its history. */
  rate: (from: string, to: string, at: string) => ({ pk: `RATE#${from}#${to}`, sk: `AT#${at}` }),
  currentRate: (from: string, to: string) => ({ pk: `RATE#${from}#${to}`, sk: 'CURRENT' }),
  /** One version of a fraud template, and the one in force. */
  fraudTemplate: (ftid: number) => ({ pk: `FRAUD_TEMPLATE#${ftid}`, sk: 'CURRENT' }),
  fraudTemplateVersion: (ftid: number, version: number) => ({
    pk: `FRAUD_TEMPLATE#${ftid}`,
    sk: `VERSION#${String(version).padStart(9, '0')}`,
  }),
  /** Where cards with these first six digits were issued. */
  bins: (first6: string) => ({ pk: `BINS#${first6}`, sk: 'BINS' }),
  /** A fraud check and its result. */
  fraudCheck: (fraudId: number) => ({ pk: `FRAUD#${fraudId}`, sk: 'FRAUD' }),
  /** The uses of a card, an e-mail address, an IP address or a device at a site in each hour of the last days. */
  velocity: (sid: number, subject: string) => ({ pk: `VELOCITY#${sid}#${subject}`, sk: 'VELOCITY' }),
  /** Whom a site always refuses, whom it always takes, and whom it watches. */
  fraudLists: (sid: number) => ({ pk: `SITE#${sid}`, sk: 'FRAUD_LISTS' }),
  /** A dispute alert that looks for the transaction it is about. */
  disputeHold: (alertId: number) => ({ pk: `ALERT#${alertId}`, sk: 'HOLD' }),
  /** Alerts of the inbox have to be compared with what a request has enrolled. */
  inboxMatch: (enrollmentId: number) => ({ pk: `ENROLLMENT#${enrollmentId}`, sk: 'INBOX_MATCH' }),
  /** An order, in the partition of its card's ends at its merchant: a provider's look-up reads that once, newest first. */
  ordersOfCard: (mid: number, ends: string) => `ORDERS#${mid}#${ends}`,
  order: (mid: number, ends: string, transactionDate: string, orderId: number) => ({
    pk: `ORDERS#${mid}#${ends}`,
    sk: `${transactionDate}#${orderId}`,
  }),
  /** Where an order is stored, and how lists show it. */
  orderPlace: (orderId: number) => ({ pk: `ORDER#${orderId}`, sk: 'ORDER' }),
  /** Which order has a merchant's own number. By digest: it is the merchant's own text. */
  orderReference: (sid: number, digest: string) => ({ pk: `ORDERREF#${sid}#${digest}`, sk: 'ORDER' }),
  /** On which card an acquirer's reference number was, by merchant: for look-ups that name no card. */
  orderArn: (arn: string) => ({ pk: `ORDERARN#${arn}`, sk: 'ORDER' }),
  /** Which merchant a provider of look-ups means by a name. */
  orderClient: (provider: string, clientId: string) => ({ pk: `ORDERCLIENT#${provider}#${clientId}`, sk: 'MERCHANT' }),
  /** The shop as banks show it. */
  letterhead: (sid: number) => ({ pk: `SITE#${sid}`, sk: 'LETTERHEAD' }),
  orderProfile: (sid: number) => ({ pk: `SITE#${sid}`, sk: 'ORDER_PROFILE' }),
  /** The shop that a site's orders are imported from. */
  orderSource: (sid: number) => ({ pk: `SITE#${sid}`, sk: 'ORDER_SOURCE' }),
  /** A provider's look-up of an order. By digest: it is the provider's own text. */
  lookup: (provider: string, name: string) => ({ pk: `LOOKUP#${provider}#${name}`, sk: 'LOOKUP' }),
  /** The number of look-ups of one card's ends that found nothing within some minutes. */
  lookupMisses: (ends: string, since: string) => ({ pk: `LOOKUPMISSES#${ends}`, sk: since }),
  /** The search for the order that an alert is about, and its result. */
  alertOrder: (alertId: number) => ({ pk: `ALERT#${alertId}`, sk: 'ORDER' }),
  /** A row under one of the terms by which people find it; `digest`: of merchant and term, since a term may be an address. */
  searchEntry: (mid: number, digest: string, position: string) => ({ pk: `SEARCH#${mid}#${digest}`, sk: position }),
  /** An open test alert, by each scope of its list: counts have test alerts as well. */
  openTest: (scope: string, alertId: number) => ({ pk: `SEARCH#TEST#${scope}`, sk: `${alertId}` }),
  /** A person's note about a customer, by request; `digest`: of merchant and customer. */
  customerNote: (mid: number, digest: string, id: string) => ({ pk: `CUSTOMER#${mid}#${digest}`, sk: `NOTE#${id}` }),
  /** Counts of a list: see core/platform/lists/listing.ts. `bucket` is ALL, DAY#2026-05-02; of counts on demand DAYS#2026, HOURS#2026-05-02 */
  count: (list: string, bucket: string) => ({ pk: `COUNT#${list}`, sk: bucket }),
  /** The marker of one listed item: the place under which it is counted. */
  counted: (itemPk: string) => ({ pk: `COUNTED#${itemPk}`, sk: 'COUNTED' }),
} as const;
