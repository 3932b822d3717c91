import { threeDsServerUrl, threeDsServerWords } from '#accounts/merchants/settings/three-ds-server-address.ts';
import { threeDsChecks, threeDsProviders, threeDsValueProblem } from '#accounts/merchants/settings/three-ds-values.ts';
import type { SealedSecret, ThreeDsSettings } from '#accounts/merchants/site/site.ts';
import type { Scheme } from '#core/kernel/card/schemes.ts';
import { countryNumber, readCurrencyCode } from '#core/kernel/money/numeric-codes.ts';
import type { ThreeDsProvider } from './server/three-ds-server.ts';
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
  /** The acquirer's, three digits; absent: the merchant's. */
  acquirerCountryNumber?: string;
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

/** Settings without which no authentication is possible. */
const requiredSettings: readonly string[] = [
  ...['acquirerBin', 'acquirerMid', 'mcc', 'merchantCountryCode', 'merchantName', 'requestorName', 'requestorURL'],
];

const valueProblems = (fields: Fields): string[] =>
  Object.entries(threeDsChecks).flatMap(([name, { words }]) => {
    const text = textOf(fields, name);
    const problem = threeDsValueProblem(name, text);
    if (problem) return [`${name}: ${problem}`];
    return text === '' && requiredSettings.includes(name) ? [`${name}: is missing: ${words}`] : [];
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
  ...valueProblems(stored.settings),
  ...new Set(acquirerProblems(stored.settings)),
  ...serverProblems(stored, rules),
];

const acquirerCountryOf = (fields: Fields): Pick<Settings, 'acquirerCountryNumber'> => {
  const acquirerCountryNumber = countryNumber(textOf(fields, 'acquirerCountryCode'));
  return acquirerCountryNumber === undefined ? {} : { acquirerCountryNumber };
};

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
    ...acquirerCountryOf(settings),
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
  readCurrencyCode(textOf(settings, 'purchaseCurrency'));

/** Checks whether the site skips authentication. */
export const isSkipped = ({ servicesettings }: ThreeDsSettings): boolean => isOn(servicesettings, 'skip3d2');
