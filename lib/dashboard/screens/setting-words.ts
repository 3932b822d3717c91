import { translate } from '../language/translate.ts';
import { monthText } from '../parts/dates.ts';
import { stateWords } from '../parts/state-words.ts';
import { creditReasons } from './credit-words.ts';
import { permissionLabels } from './permission-words.ts';
import { processorTitle } from './processor-fields.ts';

/** The words for settings and their values. Pure. */

/** `isFlag`: 1 is yes. `words`: of a value that the service names. `isTime`: values are times. */
type SettingWords = { label: string; isFlag?: true; words?: (value: string) => string; isTime?: true };

/** The choices of e-mails about alerts. */
export const alertEmailWords = {
  each: translate('An e-mail for each'),
  daily: translate('One e-mail a day, at 8 in the morning'),
} as const;

const importWords = {
  charges: translate('Charges'),
  refunds: translate('Refunds'),
  disputes: translate('Disputes'),
  pause: translate('Pause'),
  resume: translate('Resume'),
  cancel: translate('Cancel'),
};

const wordsFrom = (table: Readonly<Record<string, string>>) => (value: string) => table[value] ?? stateWords(value);
const states = { words: stateWords } as const;
const processors = { words: processorTitle } as const;
const monthWords = (text: string): string => (/^\d{4}-\d{2}$/.test(text) ? monthText(text) : text);

/** By the last names of a field's path; `*` is any name or place, which the label shows in brackets. */
const settings: Readonly<Record<string, SettingWords>> = {
  // Sites: payments and 3-D Secure.
  stop_send_email: { label: translate('E-mails stopped'), isFlag: true },
  notify_email: { label: translate('Payments are mailed to') },
  cbreportemail: { label: translate('Chargebacks are mailed to') },
  first_transaction_alert: { label: translate('First payment is mailed'), isFlag: true },
  emaildomain: { label: translate('Payers reply to') },
  ftid: { label: translate('Fraud template') },
  proceedeveniffail: { label: translate('Payments accepted if the fraud check is unavailable'), isFlag: true },
  skip_ccv: { label: translate('Security code not needed'), isFlag: true },
  allow_rebilling: { label: translate('Repeat charges without it'), isFlag: true },
  bin_currency: { label: translate('Offered in the card’s currency'), isFlag: true },
  margin_percentage: { label: translate('Added to exchange rates, percent') },
  allow_refund: { label: translate('Refunds allowed'), isFlag: true },
  allow_refund_time: { label: translate('Days for refunds (0: no limit)') },
  shipping_n_tracking: { label: translate('Shipping address required'), isFlag: true },
  signature: {
    label: translate('Signature of the body'),
    words: wordsFrom({ optional: translate('Optional'), required: translate('Required') }),
  },
  mcc: { label: translate('Merchant category') },
  acquirerBin: { label: translate('Acquirer BIN') },
  acquirerMid: { label: translate('Merchant ID at the acquirer') },
  requestorURL: { label: translate('Requestor’s website') },
  three_ds_provider: { label: translate('3DS server') },
  verbose: { label: translate('Verbose'), isFlag: true },
  skip3d2: { label: translate('3-D Secure skipped'), isFlag: true },
  merchantName: { label: translate('Shop name') },
  merchantCountryCode: { label: translate('Country') },
  purchaseCurrency: { label: translate('Currency') },
  wallet_base_url: { label: translate('Address of the 3DS server') },
  thirdparty_base_url: { label: translate('Address of the third party’s 3DS server') },
  // Sites: alerts.
  alertapiurl: { label: translate('New alerts go to') },
  statusupdate_url: { label: translate('Status updates go to') },
  enrollment_url: { label: translate('Enrollment updates go to') },
  alert_notification_url: { label: translate('New alerts go to') },
  body_format: { label: translate('Format of notifications') },
  default_dispute_action: { label: translate('What a dispute asks for'), ...states },
  max_refund_amount: { label: translate('Maximum refund by rules') },
  max_daily_refunds: { label: translate('Refunds by rules per day') },
  alert_triggeremail: { label: translate('E-mail every new alert') },
  alert_email: { label: translate('Alerts are mailed to') },
  shieldrdr_review_email: { label: translate('RDR reviews are mailed to') },
  status_update_opt_in: { label: translate('Status updates are sent') },
  deadline_warning: { label: translate('Notify before a deadline passes') },
  'deadline_hours.FRAUD': { label: translate('Hours to answer fraud') },
  'deadline_hours.DISPUTE': { label: translate('Hours to answer disputes') },
  'deadline_hours.CANCEL': { label: translate('Hours to answer cancels') },
  // Orders, fees, routes, fraud.
  display_name: { label: translate('Shop name') },
  support_url: { label: translate('Support page') },
  refund_policy_url: { label: translate('Refund policy') },
  terms_url: { label: translate('Terms') },
  cancellation_policy_url: { label: translate('Cancellation policy') },
  retain_days: { label: translate('Days to keep orders') },
  'order_source.kind': { label: translate('Source of orders'), ...processors },
  'fees.*.percentage': { label: translate('Percent') },
  'fees.*.fixed': { label: translate('Plus per payment') },
  'routes.*.processor': { label: translate('Processor'), ...processors },
  'routes.*.schemes': { label: translate('Cards'), ...states },
  'routes.*.currencies': { label: translate('Currencies') },
  'routes.*.min': { label: translate('Amounts from') },
  'routes.*.max': { label: translate('Amounts up to') },
  'block.*': { label: translate('Always refused') },
  'allow.*': { label: translate('Always accepted') },
  'watch.*': { label: translate('Watched') },
  scorer: { label: translate('Fraud score by') },
  fallbacks: { label: translate('Otherwise by') },
  'thresholds.review': { label: translate('Score for a review') },
  'thresholds.three_ds': { label: translate('Score for 3-D Secure') },
  'thresholds.reject': { label: translate('Score for a refusal') },
  // Merchants and users.
  name: { label: translate('Name') },
  retailer_name: { label: translate('Retailer') },
  site_name: { label: translate('Site') },
  country: { label: translate('Country') },
  currency: { label: translate('Currency') },
  url: { label: translate('Address of the shop') },
  contact_email: { label: translate('E-mail') },
  alerts: { label: translate('Dispute alerts') },
  cbm: { label: translate('Chargebacks, read from its processors') },
  payments: { label: translate('Payments') },
  threeDS: { label: translate('3-D Secure') },
  order_insights: { label: translate('Orders that banks can look up') },
  role: { label: translate('Role'), ...states },
  disabled: { label: translate('Locked out') },
  email: { label: translate('E-mail') },
  permissions: { label: translate('Permissions'), words: wordsFrom(permissionLabels) },
  sites: { label: translate('Sites') },
  ip_ranges: { label: translate('Only from addresses') },
  valid_days: { label: translate('Valid for days') },
  time_zone: { label: translate('Time zone of deadlines') },
  monthly_report: { label: translate('Monthly report by e-mail'), isFlag: true },
  alert_emails: { label: translate('New and changed alerts'), words: wordsFrom(alertEmailWords) },
  issuer: { label: translate('Issuer') },
  domains: { label: translate('E-mail domains') },
  link_by_email: { label: translate('Link existing users by their verified e-mail address') },
  'role_values.*': { label: translate('Number of groups') },
  default_role: { label: translate('Role for everyone else'), ...states },
  enabled: { label: translate('Switched on') },
  // Connections, costs, figures.
  'connections.*.kind': { label: translate('Processor'), ...processors },
  'connections.*.active': { label: translate('In use') },
  'connections.*.sids': { label: translate('Sites') },
  provider: { label: translate('Network'), ...states },
  tier: { label: translate('Tier') },
  alert_type: { label: translate('Type'), ...states },
  price: { label: translate('Price') },
  from: { label: translate('From|time'), isTime: true },
  to: { label: translate('Until'), isTime: true },
  what: { label: translate('What is imported'), words: wordsFrom(importWords) },
  action: { label: translate('Action'), words: wordsFrom(importWords) },
  'chargeback_fees.*.dispute_fee': { label: translate('Fee for the dispute') },
  'chargeback_fees.*.counter_fee': { label: translate('Fee for contesting') },
  'chargeback_fees.*.counter_fee_returned': { label: translate('The fee for contesting is returned if you win') },
  state: { label: translate('Credit'), ...states },
  reason: { label: translate('Reason'), words: wordsFrom(creditReasons) },
  'rate.*': { label: translate('Exchange rate') },
  source: { label: translate('Source') },
  settled_count: { label: translate('Settled payments') },
  chargeback_count: { label: translate('Chargebacks') },
  fraud_count: { label: translate('Reports of fraud (Visa: TC40)') },
  amount_usd: { label: translate('Disputes and reports of fraud in US dollars') },
  fraud_chargeback_count: { label: translate('Chargebacks for fraud') },
  fraud_chargeback_usd: { label: translate('Chargebacks for fraud in US dollars') },
  three_ds_percent: { label: translate('Share of payments with 3-D Secure in percent') },
  enumerated_count: { label: translate('Authorisations that test cards, as Visa reports them') },
  authorisation_count: { label: translate('All authorisations, approved or declined') },
  region: { label: translate('Region of the acquirer'), ...states },
  // Rules.
  mode: { label: translate('Mode'), ...states },
  providers: { label: translate('Networks'), ...states },
  'action.type': { label: translate('Action'), ...states },
  'action.reason_code': { label: translate('Reason code') },
  names: { label: translate('Order|sequence') },
  kind: { label: translate('Type'), ...states },
  month: { label: translate('Month'), words: monthWords },
  dry_run: { label: translate('Only compared') },
  scheme: { label: translate('Scheme'), ...states },
  // Fields that are sent, and whose values no list shows.
  token: { label: translate('Token for your endpoints') },
  password: { label: translate('Password') },
  conditions: { label: translate('Conditions') },
  client_secret: { label: translate('Client secret') },
  descriptorid: { label: translate('Descriptor') },
  note: { label: translate('Note') },
  oi_merchant_id: { label: translate('Name in banks’ look-ups') },
};

const fits = (pattern: string, names: readonly string[]): boolean => {
  const parts = pattern.split('.');
  const own = names.slice(-parts.length);
  return own.length === parts.length && parts.every((part, index) => part === '*' || part === own[index]);
};

/** The words of a setting by its path, and what its `*` stand for. */
const findWords = (field: string): { words: SettingWords; of: string[] } | undefined => {
  const names = field.split('.');
  const [pattern, words] = Object.entries(settings).find(([one]) => fits(one, names)) ?? [];
  if (pattern === undefined || !words) return undefined;
  const parts = pattern.split('.');
  return { words, of: names.slice(-parts.length).filter((_, index) => parts[index] === '*') };
};

/** The words for `*` in a field's path: kinds of list entries, and roles. Other names stay as people wrote them. */
const placeWords: Readonly<Record<string, string>> = {
  emails: translate('E-mail addresses'),
  cards: translate('Cards'),
  bins: translate('Cards that begin with'),
  ips: translate('IP addresses'),
  countries: translate('Countries'),
};

/** The label of a setting; undefined where there is none. */
export const findSettingLabel = (field: string): string | undefined => {
  const found = findWords(field);
  if (!found) return undefined;
  const of = found.of.map((name) => placeWords[name] ?? stateWords(name)).join(', ');
  return of === '' ? found.words.label : `${found.words.label} (${of})`;
};

/** The label of a setting, from its name where it has none. */
export const settingLabel = (field: string): string =>
  findSettingLabel(field) ?? stateWords((field.split('.').at(-1) ?? field).replace(/([a-z])([A-Z])/g, '$1_$2'));

export const isTimeSetting = (field: string): boolean => findWords(field)?.words.isTime === true;

/** A value of a setting in words; empty where it has none. */
export const settingText = (field: string, value: unknown): string => {
  const { isFlag, words = (text: string) => text } = findWords(field)?.words ?? {};
  if (typeof value === 'boolean') return value ? translate('Yes') : translate('No');
  if (isFlag && value !== null && value !== undefined) return Number(value) === 1 ? translate('Yes') : translate('No');
  if (Array.isArray(value)) return value.map((one) => words(String(one))).join(', ');
  if (value === null || value === undefined || typeof value === 'object') return '';
  return typeof value === 'string' ? words(value) : String(value);
};
