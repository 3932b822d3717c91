import { currencies } from '#core/kernel/money/currencies.ts';
import { signingProviderNames as providerNames, type SigningProvider } from '#disputes/providers/providers.ts';

/** The answers that `npm run init` needs. `stage` to `operationsEmail` become the stage file; the rest is the first merchant. */
export type InitAnswers = {
  stage: string;
  region: string;
  alertDomain: string;
  mailFrom: string;
  operationsEmail: string;
  /** The account's quota of concurrent executions of Lambda. */
  lambdaConcurrency: string;
  networks: readonly SigningProvider[];
  merchant: string;
  /** The address of its shop, and the currency that it sells in. */
  siteUrl: string;
  currency: string;
  descriptor: string;
  /** Where the merchant's webhooks go; empty: nowhere yet. */
  endpoint: string;
};

export type Question = {
  name: keyof InitAnswers;
  /** The flag that answers it. */
  flag: string;
  text: string;
  /** The default, from the answers before. */
  usual(given: Partial<Record<keyof InitAnswers, string>>): string;
};

/** The questions about a stage, which `--local` leaves out. */
export const stageQuestions: readonly Question[] = [
  { name: 'stage', flag: 'stage', text: 'Name of the stage (lower-case letters and digits)', usual: () => 'prod' },
  { name: 'region', flag: 'region', text: 'AWS region', usual: () => process.env['AWS_REGION'] ?? 'eu-central-1' },
  { name: 'alertDomain', flag: 'domain', text: 'Domain that e-mails come from', usual: () => 'shop.example' },
  {
    name: 'mailFrom',
    flag: 'mail-from',
    text: 'Sender of e-mails',
    usual: ({ alertDomain }) => `alerts@${alertDomain}`,
  },
  {
    name: 'operationsEmail',
    flag: 'operations-email',
    text: 'Who receives alarms',
    usual: ({ alertDomain }) => `operations@${alertDomain}`,
  },
  {
    name: 'lambdaConcurrency',
    flag: 'lambda-concurrency',
    text: 'Quota of concurrent Lambda executions (Service Quotas; a new account may have 10)',
    usual: () => '1000',
  },
];

/** The questions about the first merchant. */
export const merchantQuestions: readonly Question[] = [
  { name: 'networks', flag: 'networks', text: 'Networks, separated by commas', usual: () => providerNames.join(',') },
  { name: 'merchant', flag: 'merchant', text: 'Name of the first merchant', usual: () => 'First Merchant' },
  { name: 'siteUrl', flag: 'site-url', text: 'Address of its shop', usual: () => 'https://shop.example' },
  { name: 'currency', flag: 'currency', text: 'Currency that it sells in', usual: () => 'USD' },
  {
    name: 'descriptor',
    flag: 'descriptor',
    text: 'Descriptor on its customers’ statements',
    usual: ({ merchant = '' }) => merchant.toUpperCase().slice(0, 22),
  },
  { name: 'endpoint', flag: 'endpoint', text: 'URL for its webhooks (empty: later)', usual: () => '' },
];

/** The networks that an answer names. Throws an Error that says which are unknown. */
export const parseNetworks = (text: string): SigningProvider[] => {
  const names = text.split(',').map((name) => name.trim());
  const known = providerNames.filter((name) => names.includes(name));
  const unknown = names.filter((name) => !known.some((one) => one === name));
  if (unknown.length > 0)
    throw new Error(`There is no network ${unknown.join(', ')}; there are ${providerNames.join(', ')}.`);
  return known;
};

/** Returns what is wrong with the answers about the merchant, each as a sentence; none: all can be used. */
export const listWrongAnswers = ({ siteUrl, currency, descriptor, endpoint }: InitAnswers): string[] => [
  ...(isWebAddress(siteUrl) ? [] : [`--site-url: must be an address such as https://shop.example, not ${siteUrl}.`]),
  ...(Object.hasOwn(currencies, currency)
    ? []
    : [`--currency: must be a code of ISO 4217 such as USD, not ${currency}.`]),
  ...(/^\S.{0,59}$/.test(descriptor) ? [] : ['--descriptor: must be 1 to 60 characters.']),
  ...(endpoint === '' || isWebAddress(endpoint)
    ? []
    : [`--endpoint: must be an address such as https://shop.example/webhooks, not ${endpoint}.`]),
];

const isWebAddress = (text: string): boolean => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);

/** The settings of the stage file. */
export const stageFileOf = ({ alertDomain, mailFrom, operationsEmail, lambdaConcurrency }: InitAnswers) => ({
  mailFrom,
  alertDomain,
  operationsEmail,
  lambdaConcurrency: Number(lambdaConcurrency),
});
