import { enrolledProviders } from '#disputes/providers/providers.ts';
import { canPayOut, gatewayKinds, processorNames } from '#payments/processors/ports/processors.ts';
import { titles } from '#payments/processors/registered/described.ts';

const withoutPayouts = new Intl.ListFormat('en-GB', { type: 'conjunction' }).format(
  processorNames.filter((name) => !canPayOut(name)).map((name) => titles[name]),
);

/** Of fraud templates, which stand in two areas. */
const template = {
  rules: 'What adds to the score, or decides.',
  review: 'From this score on, REVIEW.',
  reject: 'From this score on, REJECT.',
  three_ds: 'From this score on, 3DS.',
  scorer: 'Who else is asked for a score.',
  fallbacks: 'Which scorers to ask, in this order, if `scorer` does not answer.',
  no_answer: 'What to do if none of them answers.',
  effect: 'What the rule does when it matches.',
  thresholds: 'From which score on what is decided.',
} as const;

export const auth = {
  password: 'The password.',
  access_token: 'Send it as `Authorization: Bearer`.',
  token_type: 'Always Bearer.',
  expires_in: 'For how many seconds it is valid.',
  everywhere: 'Whether all sessions of the user end.',
  challenge: 'Identifies the sign-in that the code completes.',
  code: 'Six digits of the second factor, or a recovery code.',
  recovery_codes: 'Each signs in once in place of the second factor. Shown once.',
  uri: '`otpauth:` address, for a QR code.',
  secret: 'The second factor’s key, for typing in. Shown once.',
  disabled: 'Whether the user may not sign in.',
  second_factor: 'Whether the user has a second factor.',
  password_set: 'Whether the user has a password yet.',
  password_link: 'Whether to make a link by which the user sets a password.',
  link: 'The link with which the user sets a password; shown once.',
  status: 'How far the sign-in is, or `ok`.',
  name: 'The user’s name.',
  email: 'The user’s e-mail address.',
  token: 'From the link.',
  reset_factor: 'Whether to remove the second factor.',
} as const;

export const balance = {
  balances: 'What there is, by currency.',
  available: 'What could be withdrawn.',
  pending: 'What is not settled yet.',
  reserved: 'What is reserved for refunds and disputes.',
  status: 'EXC if it is refused.',
} as const;

export const cardsearch = {
  month_year: 'The month to search, MMYYYY; the last three months if absent.',
  status: 'OK, EXC or PEND.',
  tx_action: 'What was done.',
  original_currency: 'The currency that was asked for, where it was converted.',
  liability_shift: 'Whether the issuer is expected to bear a fraud chargeback.',
  source: 'Where the authentication was made.',
  outcome: 'The result of the authentication.',
  descriptor: 'What the statement says.',
} as const;

export const connections = {
  kind: `Which processor: ${gatewayKinds.join(', ')}.`,
  connections: 'The merchant’s processors, in the order in which they are asked.',
  connection: 'The connection.',
  sids: 'The alert sites that it is for; all if absent.',
  transactions: 'What was found.',
  type: 'What was done: a sale or a refund, as the processor names it.',
  reference2: 'The processor’s second identifier of it.',
  settled: 'Whether it is settled.',
  refunded: 'How much of it has been refunded.',
  unasked: 'Connections that could not be asked, and why.',
  problem: 'Why it could not be asked.',
  works: 'Whether it works.',
  retired: 'Whether it is kept only for refunds of what it has taken.',
  date: 'When it was made.',
} as const;

export const dashboard = {} as const;

export const datasources = {
  alpha3: 'ISO 3166-1, three letters.',
  code: 'The code.',
  ...template,
} as const;

export const enrollments = {
  status: 'PENDING, WAITING FOR PROVIDER, WAITING FOR ACTION, ENROLLED, FAILED or UNENROLLED.',
  match_type: '`Exact` or `Starts with`.',
  enrollment_items: 'What to enroll, each with its providers.',
  enrollment_request_id: 'The request.',
  enrollment_request_status: 'The overall status of the items.',
  enrollment_request_items: 'The items, by product.',
  email_cc_list: 'Who else is mailed about the request, separated by commas.',
  network_bin: 'The acquirer’s BIN, for `rdr`.',
  network_caid: 'The card acceptor ID, for `rdr`.',
  network_arn: 'An acquirer reference number, for `rdr`.',
  rdr_ruleset: 'The rules by which the network decides.',
  last_activity: 'When it last changed.',
  request_date: 'When the request was made.',
  products: 'The providers, separated by commas.',
  ...Object.fromEntries(enrolledProviders.map((name) => [name, `Items at ${name}.`])),
  rdr: 'Items at `rdr`.',
  sort_field: 'What the list is ordered by.',
  provider: 'The providers to enroll with.',
  overlap: 'Whether to enroll it although it overlaps with another merchant’s enrollment.',
} as const;

export const fraud = {
  decision: 'ACCEPT, REVIEW, REJECT or 3DS.',
  reasons: 'What led to it: each rule that matched, with its points.',
  state: 'The state of the address, two or three letters.',
  ...template,
  block: 'Who is always refused.',
  allow: 'Who is always accepted.',
  watch: 'Whom rules ask for as the fact `watched`.',
  cards: 'Cards, as masked numbers or digests.',
  emails: 'E-mail addresses.',
  ips: 'IP addresses and networks.',
  countries: 'Countries (ISO 3166-1, two letters).',
  bins: 'The first six digits of cards.',
  token: 'A device’s token.',
  id: 'The check, or the template.',
} as const;

export const notifications = {
  method: 'How it is sent.',
  headers: 'As they would be sent now, the three of the signature among them.',
  kind: 'new_alert, status_update, enrollment_update, alert_deadline or postback.',
  state: 'PENDING while it is tried, DELIVERED, EXPIRED after 72 hours, CANCELLED when the answer came first.',
  slot: 'The time for which the attempt was owed.',
  status: 'The HTTP status of the reply; null if none came.',
  latency_ms: 'Milliseconds until the reply.',
  error: 'Why it does not count as delivered; null if it does.',
  reply_update: 'What became of an answer in the reply.',
  dry_run: 'Whether only to say how many there are.',
  accepted: 'Whether the answer was taken.',
  reason: 'Why it was not.',
  response: 'The reply’s first 16 KB.',
  content_type: 'How the body is written: a form, or JSON.',
  body: 'What is sent, as the site is set up now.',
  url: 'Where it was posted.',
} as const;

export const onboarding = {
  site_url: 'The shop’s address.',
  alert_notification_url: 'Where new alerts are posted; https.',
  alert_status_update_url: 'Where status updates are posted; https.',
  email_for_alert_notification: 'Who is mailed about new alerts, separated by commas.',
  token: 'Sent as `Authorization: Bearer` with every callback.',
  status: '`ok`, or EXC when it is refused.',
} as const;

export const outcomes = {
  state: 'PENDING, ACCEPTED, REFUSED, EXPIRED, SUPERSEDED or MANUAL.',
  status: 'The status that the alert was given.',
  result: 'What came of the attempt.',
  error: 'What the provider said; null if it said nothing.',
} as const;

export const pricing = {
  status: 'EXC if it is refused.',
  type: 'What kind it is.',
  BIN: 'The first six digits of the card number.',
  addFee: 'Whether processing fees are added on top.',
  addfee: 'Whether processing fees are added on top.',
  currency_code: 'The cart’s currency (ISO 4217).',
  currency_symbol: 'The currency’s sign.',
  display_title: 'What to show a payer.',
  image: 'A picture of the payment method.',
  paymethod: 'To be sent as `card_type`.',
  payout: `Whether \`payout\` can be called for it: not at ${withoutPayouts}.`,
  paymentmethods: 'Payment methods with their fees.',
  amount_purchase: 'The total of the cart.',
  amount_total: 'What is charged.',
  fxrate_posted: 'The rate from the cart’s currency to the gateway’s; looked up if absent.',
  summary: 'Lines of the cart’s sum.',
  cart: 'What is bought.',
  item_desc: 'A description of the item.',
  fees: 'Fees by payment method.',
  fee: 'The fee.',
  percentage: 'Per cent of the amount.',
  fixed: 'A fixed part, in the site’s currency.',
  operation: 'The call that takes these fields.',
  fields: 'The fields to send.',
  required: 'Whether the field must be sent.',
  rate: 'What one unit of the first currency is in the second.',
  source: 'Where the rate comes from.',
  set_at: 'From when it applies.',
  set_by: 'Who set it.',
  from: 'The currency converted from.',
  to: 'The currency converted to.',
} as const;

export const processors = {
  status: '`ok` when it is done.',
  routes: 'Which processor takes which payments; the first that fits is asked first.',
  retired: 'Whether it is kept only for refunds of what it has taken.',
  uses_sandbox: 'Whether payments go to the sandbox, as there are no routes.',
  answer: 'What the payer pressed.',
  id: 'The account.',
  account_id: 'The account that takes the payments.',
} as const;

export const rules = {
  order: 'The place in which it is asked.',
  rule_ids: 'All rules, in the order in which to apply them.',
  matched: 'How many alerts it would have decided.',
  would: 'What it would have done.',
  refund_currency: 'Of what would have been refunded.',
  mode: '`live` decides; `shadow` only records what it would have decided.',
  action: 'refund, decline, resolve, notify or review.',
  cancel_subscription: 'Whether the subscription that the charge came from is ended, too.',
  block: 'Whether the card and the e-mail address are added to the block lists of the payment sites, too.',
  already: 'What is done with a payment that is refunded or charged back already: `answer` or `leave`.',
  from: 'From when.',
  to: 'Until when.',
  type: 'What is done when it matches.',
  back_test_id: 'The back-test.',
  started_at: 'When it was begun (ISO 8601, UTC).',
  read: 'How many alerts were read.',
  expected: 'How many there were when it was begun.',
  alerts: 'How many alerts rules were asked about.',
  totals: 'All days together.',
  today: 'What the rules of today would have done.',
  draft: 'What the draft would have done.',
  refunded: 'How many alerts would have been refunded.',
  declined: 'How many would have been declined.',
  resolved: 'How many would have been answered as resolved.',
  left_to_people: 'How many no rule would have closed.',
  refund_cost: 'What the refunds would have cost.',
  avoided: 'The amounts of the disputes that would have been avoided.',
  differences: 'Alerts on which the two differ, the oldest first.',
  amount: 'The amount.',
} as const;

export const documents = { file: 'As the page names it.' } as const;

export const reports = {
  group: 'What one row stands for: a day or a month.',
  totals: 'The whole span.',
  received: 'How many alerts came in.',
  by_type: 'How many of each type.',
  resolved: 'How many were resolved.',
  declined: 'How many were declined.',
  informational: 'How many were for information only.',
  refunded: 'What was refunded, by currency.',
  from: 'The first day.',
  to: 'The last day, included.',
  month: 'YYYY-MM.',
  programme: 'VAMP of Visa; ECM or HECM of Mastercard.',
  title: 'The programme’s name.',
  scheme: 'The card scheme.',
  threshold_bps: 'The ratio from which a merchant is over, per ten thousand.',
  count_threshold: 'The number that must be reached as well.',
  parts: 'What the number consists of.',
  chargebacks: 'Disputes.',
  fraud: 'Reports of fraud; 0 where they do not count.',
  settled_count: 'How many payments were settled.',
  chargeback_count: 'How many were charged back.',
  fraud_count: 'How many were reported as fraud (Visa: TC40).',
} as const;

export const costs = {
  alerts: 'How many alerts.',
  amounts: 'Amounts by currency.',
  spent: 'What alerts cost.',
  claimed: 'Credits that were claimed.',
  granted: 'Credits that were granted.',
  refused: 'Credits that were refused.',
  prices: 'All prices, in the order in which they were set.',
  tier: 'The tier by which the provider bills; all if absent.',
  group: 'What the totals are split by.',
  totals: 'The sums.',
  changed_at: 'When the credit last changed (ISO 8601, UTC).',
  changed_by: 'Who changed it.',
  from: 'From when the price applies (ISO 8601).',
} as const;

export const audit = {
  at: 'When it was called (ISO 8601, UTC).',
  source_ip: 'The address that the call came from.',
  request_id: 'The `x-request-id` of the call.',
} as const;

export const chargebacks = {
  content_base64: 'The file, in base64.',
  status: 'open, under_review, won, lost, or accepted: you no longer contest it.',
  chargeback_status: 'The present state of the chargeback.',
  stage: 'inquiry: nothing is taken yet; chargeback; arbitration: raised a second time.',
  network: 'The card’s scheme, as the processor names it.',
  reason_code: 'Why the issuer raised it: the scheme’s code, or the processor’s word.',
  amount: 'What is disputed.',
  opened_at: 'When the issuer raised it (ISO 8601, UTC).',
  closed_at: 'When it was found to be closed; null if it is not.',
  history: 'How it got there, the oldest first.',
} as const;
