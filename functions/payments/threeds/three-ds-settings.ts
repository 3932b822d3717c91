import { threeDsServerUrl, threeDsServerWords } from '#accounts/merchants/settings/three-ds-server-address.ts';
import type { SealedSecret, ThreeDsSettings } from '#accounts/merchants/site/site.ts';
import type { Scheme } from '#core/kernel/card/schemes.ts';
import { countryNumber, currencyCode } from './server/numeric-codes.ts';
import { type ThreeDsProvider, threeDsProviders } from './server/three-ds-server.ts';
import { type SpokenVersion, spokenVersions } from './server/versions.ts';

/** The meaning of a 3DS site's settings; stored as they were sent, they are read when an authentication is made. */

export type Acquirer = { bin: string; mid: string };

/** The settings of its site that an authentication needs; kept with it, so that a change of settings does not affect what is under way. */
export type Settings = {
  provider: ThreeDsProvider;
  /** Of a real 3DS server: its address, and its API key as the site keeps it. */
  serverUrl: string | null;
  serverKey: SealedSecret | null;
  highestVersion: SpokenVersion;
  requestorId: string | null;
  mastercardPrefix: string;
  /** By scheme; those that are absent have the acquirer of VISA. */
  acquirers: { VISA: Acquirer } & { [S in Scheme]?: Acquirer };
  mcc: string;
  /** Three digits. */
  countryNumber: string;
  merchantName: string;
  requestorName: string;
  requestorUrl: string;
  authenticationInd: string;
  challengeInd: string;
  acctType: string | null;
  transType: string;
  messageCategory: string;
  disablesChallenge: boolean;
  mode: 'modal' | 'inline';
  tellsValues: boolean;
  isVerbose: boolean;
};

export type SettingsRules = { allowSandbox: boolean; allowLoopbackHttp: boolean };

type Fields = Readonly<Record<string, string | number>>;

const textOf = (fields: Fields, name: string): string => String(fields[name] ?? '').trim();
const isOn = (fields: Fields, name: string): boolean => textOf(fields, name) === '1';

/** Which settings have the acquirer of a scheme. `scheme3`, `scheme4` and `scheme5` are the interface's names. */
const acquirerFields = {
  VISA: ['acquirerBin', 'acquirerMid'],
  MASTERCARD: ['masterAcquirerBin', 'masterAcquirerMid'],
  AMEX: ['scheme3AcquirerBin', 'scheme3AcquirerMid'],
  DISCOVER: ['scheme4AcquirerBin', 'scheme4AcquirerMid'],
  DINERS: ['scheme4AcquirerBin', 'scheme4AcquirerMid'],
  JCB: ['scheme5AcquirerBin', 'scheme5AcquirerMid'],
} as const satisfies { [S in Scheme]?: readonly [string, string] };

const acquirerOf = (fields: Fields, [bin, mid]: readonly [string, string]): Acquirer | undefined => {
  const found = { bin: textOf(fields, bin), mid: textOf(fields, mid) };
  return found.bin !== '' && found.mid !== '' ? found : undefined;
};

const acquirersOf = (fields: Fields): Settings['acquirers'] => ({
  VISA: acquirerOf(fields, acquirerFields.VISA) ?? { bin: '', mid: '' },
  ...Object.fromEntries(
    Object.entries(acquirerFields).flatMap(([scheme, names]) => {
      const acquirer = acquirerOf(fields, names);
      return acquirer ? [[scheme, acquirer] as const] : [];
    }),
  ),
});

/** `2.2` and `2.3` stand for the supported version of each. */
const versionOf = (text: string): SpokenVersion | undefined =>
  spokenVersions.find((version) => text === version || text === version.slice(0, 3)) ??
  (text === '' ? spokenVersions.at(-1) : undefined);

const categories: Readonly<Record<string, string>> = {
  '': '01',
  '01': '01',
  pa: '01',
  '02': '02',
  npa: '02',
  '80': '80',
};
const categoryOf = (text: string): string | undefined => categories[text.toLowerCase()];

type Check = { name: string; isRight: (text: string) => boolean; words: string };

const isFilled = (text: string): boolean => text !== '';
const absentOr = (pattern: RegExp) => (text: string) => text === '' || pattern.test(text);
const isWebAddress = (text: string): boolean => /^https?:$/.test(URL.parse(text)?.protocol ?? '');

const settingChecks: readonly Check[] = [
  {
    name: 'acquirerBin',
    isRight: (text) => /^[\w-]{1,11}$/.test(text),
    words: 'the acquirer BIN of 1 to 11 characters',
  },
  { name: 'acquirerMid', isRight: (text) => /^[\x21-\x7e]{1,35}$/.test(text), words: "the acquirer's merchant id" },
  { name: 'mcc', isRight: (text) => /^\d{4}$/.test(text), words: 'the merchant category code of four digits' },
  {
    name: 'merchantCountryCode',
    isRight: (text) => countryNumber(text) !== undefined,
    words: 'a country of ISO 3166, two letters or three digits',
  },
  { name: 'merchantName', isRight: isFilled, words: 'the name that issuers show' },
  { name: 'requestorName', isRight: isFilled, words: 'the name of the site' },
  { name: 'requestorURL', isRight: isWebAddress, words: 'the web address of the site' },
  { name: 'authenticationInd', isRight: absentOr(/^(?:0[1-7]|[89]\d)$/), words: 'two digits, 01 to 07' },
  { name: 'challengeInd', isRight: absentOr(/^(?:0[1-9]|[89]\d)$/), words: 'two digits, 01 to 09' },
  { name: 'acctType', isRight: absentOr(/^(?:0[1-3]|[89]\d)$/), words: '01, 02 or 03' },
  { name: 'transType', isRight: absentOr(/^(?:01|03|10|11|28)$/), words: '01, 03, 10, 11 or 28' },
  { name: 'messageCategory', isRight: (text) => categoryOf(text) !== undefined, words: '01, 02, 80, pa or npa' },
  {
    name: 'purchaseCurrency',
    isRight: (text) => text === '' || currencyCode(text) !== undefined,
    words: 'a currency of ISO 4217',
  },
  { name: 'clientMode', isRight: absentOr(/^(?:modal|inline)$/), words: 'modal or inline' },
];

const problemsOfChecks = (checks: readonly Check[], fields: Fields): string[] =>
  checks.flatMap(({ name, isRight, words }) => {
    const text = textOf(fields, name);
    if (isRight(text)) return [];
    return [`${name}: ${text === '' ? `is missing: ${words}` : `must be ${words}`}`];
  });

/** A scheme's own acquirer, of which half is missing. */
const acquirerProblems = (fields: Fields): string[] =>
  Object.values(acquirerFields)
    .slice(1)
    .flatMap(([bin, mid]) => {
      if ((textOf(fields, bin) === '') === (textOf(fields, mid) === '')) return [];
      const [missing, given] = textOf(fields, bin) === '' ? [bin, mid] : [mid, bin];
      return [`${missing}: is missing beside ${given}`];
    });

const isProvider = (text: string): text is ThreeDsProvider => threeDsProviders.some((one) => one === text);

/** Which 3DS server is used; if none is named, the sandbox, where there is one. */
const providerOf = (text: string, { allowSandbox }: SettingsRules): ThreeDsProvider | undefined => {
  if (text === '') return allowSandbox ? 'sandbox' : undefined;
  return isProvider(text) && (text !== 'sandbox' || allowSandbox) ? text : undefined;
};

const serverProblems = ({ servicesettings: service, secrets }: ThreeDsSettings, rules: SettingsRules): string[] => {
  const provider = providerOf(textOf(service, 'three_ds_provider'), rules);
  const offered = threeDsProviders.filter((one) => one !== 'sandbox' || rules.allowSandbox).join(' or ');
  const problems = versionOf(textOf(service, 'threedsprotocolversion'))
    ? []
    : [`threedsprotocolversion: must be ${spokenVersions.join(' or ')}`];
  if (!provider) return [`three_ds_provider: must be ${offered}`, ...problems];
  if (provider === 'sandbox') return problems;
  return [
    ...problems,
    ...(secrets['thirdparty_password'] ? [] : ['thirdparty_password: is missing: the API key of the 3DS server']),
    ...(threeDsServerUrl(textOf(service, 'thirdparty_base_url'), rules)
      ? []
      : [`thirdparty_base_url: ${threeDsServerWords}`]),
  ];
};

/** Describes what is missing in a site's settings, or cannot be used, setting by setting; empty if nothing is. */
export const problemsOfSettings = (stored: ThreeDsSettings, rules: SettingsRules): string[] => [
  ...(isOn(stored.settings, 'enable3DS1Only') ? ['enable3DS1Only: 3DS 1 has ended'] : []),
  ...problemsOfChecks(settingChecks, stored.settings),
  ...new Set(acquirerProblems(stored.settings)),
  ...serverProblems(stored, rules),
];

/** Reads settings, which must have no problems. */
export const readSettings = (stored: ThreeDsSettings, rules: SettingsRules): Settings => {
  const { settings, servicesettings: service, secrets } = stored;
  const provider = providerOf(textOf(service, 'three_ds_provider'), rules) ?? 'sandbox';
  const isReal = provider !== 'sandbox';
  return {
    provider,
    serverUrl: isReal ? (threeDsServerUrl(textOf(service, 'thirdparty_base_url'), rules) ?? null) : null,
    serverKey: isReal ? (secrets['thirdparty_password'] ?? null) : null,
    highestVersion: versionOf(textOf(service, 'threedsprotocolversion')) ?? '2.2.0',
    requestorId: textOf(service, 'thirdparty_account_id') || null,
    mastercardPrefix: textOf(service, 'thirdparty_mastercard_prefix'),
    acquirers: acquirersOf(settings),
    mcc: textOf(settings, 'mcc'),
    countryNumber: countryNumber(textOf(settings, 'merchantCountryCode')) ?? '',
    merchantName: textOf(settings, 'merchantName'),
    requestorName: textOf(settings, 'requestorName'),
    requestorUrl: textOf(settings, 'requestorURL'),
    authenticationInd: textOf(settings, 'authenticationInd') || '01',
    challengeInd: textOf(settings, 'challengeInd') || '01',
    acctType: textOf(settings, 'acctType') || null,
    transType: textOf(settings, 'transType') || '01',
    messageCategory: categoryOf(textOf(settings, 'messageCategory')) ?? '01',
    disablesChallenge: isOn(settings, 'disableChallenge'),
    mode: textOf(settings, 'clientMode') === 'inline' ? 'inline' : 'modal',
    tellsValues: isOn(settings, 'enableResult'),
    isVerbose: isOn(settings, 'verbose'),
  };
};

/** The currency of authentications that name none; undefined: each has to. */
export const defaultCurrency = ({ settings }: ThreeDsSettings): string | undefined =>
  currencyCode(textOf(settings, 'purchaseCurrency'));

/** Checks whether the site skips authentication. */
export const isSkipped = ({ servicesettings }: ThreeDsSettings): boolean => isOn(servicesettings, 'skip3d2');
