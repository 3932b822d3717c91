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

const fieldText = (fields: Fields, name: string): string => String(fields[name] ?? '').trim();
const isOn = (fields: Fields, name: string): boolean => fieldText(fields, name) === '1';

/** Which settings have the acquirer of a scheme. `scheme3`, `scheme4` and `scheme5` are the interface's names. */
const acquirerFields = {
  VISA: ['acquirerBin', 'acquirerMid'],
  MASTERCARD: ['masterAcquirerBin', 'masterAcquirerMid'],
  AMEX: ['scheme3AcquirerBin', 'scheme3AcquirerMid'],
  DISCOVER: ['scheme4AcquirerBin', 'scheme4AcquirerMid'],
  DINERS: ['scheme4AcquirerBin', 'scheme4AcquirerMid'],
  JCB: ['scheme5AcquirerBin', 'scheme5AcquirerMid'],
} as const satisfies { [S in Scheme]?: readonly [string, string] };

const readAcquirer = (fields: Fields, [bin, mid]: readonly [string, string]): Acquirer | undefined => {
  const found = { bin: fieldText(fields, bin), mid: fieldText(fields, mid) };
  return found.bin !== '' && found.mid !== '' ? found : undefined;
};

const readAcquirers = (fields: Fields): Settings['acquirers'] => ({
  VISA: readAcquirer(fields, acquirerFields.VISA) ?? { bin: '', mid: '' },
  ...Object.fromEntries(
    Object.entries(acquirerFields).flatMap(([scheme, names]) => {
      const acquirer = readAcquirer(fields, names);
      return acquirer ? [[scheme, acquirer] as const] : [];
    }),
  ),
});

/** `2.2` and `2.3` stand for the supported version of each. */
const asVersion = (text: string): SpokenVersion | undefined =>
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
const asCategory = (text: string): string | undefined => categories[text.toLowerCase()];

/** Settings without which no authentication is possible. */
const requiredSettings: readonly string[] = [
  ...['acquirerBin', 'acquirerMid', 'mcc', 'merchantCountryCode', 'merchantName', 'requestorName', 'requestorURL'],
];

const valueProblems = (fields: Fields): string[] =>
  Object.entries(threeDsChecks).flatMap(([name, { words }]) => {
    const text = fieldText(fields, name);
    const problem = threeDsValueProblem(name, text);
    if (problem) return [`${name}: ${problem}`];
    return text === '' && requiredSettings.includes(name) ? [`${name}: is missing: ${words}`] : [];
  });

/** A scheme's own acquirer, of which half is missing. */
const acquirerProblems = (fields: Fields): string[] =>
  Object.values(acquirerFields)
    .slice(1)
    .flatMap(([bin, mid]) => {
      if ((fieldText(fields, bin) === '') === (fieldText(fields, mid) === '')) return [];
      const [missing, given] = fieldText(fields, bin) === '' ? [bin, mid] : [mid, bin];
      return [`${missing}: is missing beside ${given}`];
    });

const isProvider = (text: string): text is ThreeDsProvider => threeDsProviders.some((one) => one === text);

/** Which 3DS server is used; if none is named, the sandbox, where there is one. */
const asProvider = (text: string, { allowSandbox }: SettingsRules): ThreeDsProvider | undefined => {
  if (text === '') return allowSandbox ? 'sandbox' : undefined;
  return isProvider(text) && (text !== 'sandbox' || allowSandbox) ? text : undefined;
};

const serverProblems = ({ servicesettings: service, secrets }: ThreeDsSettings, rules: SettingsRules): string[] => {
  const provider = asProvider(fieldText(service, 'three_ds_provider'), rules);
  const offered = threeDsProviders.filter((one) => one !== 'sandbox' || rules.allowSandbox).join(' or ');
  const problems = asVersion(fieldText(service, 'threedsprotocolversion'))
    ? []
    : [`threedsprotocolversion: must be ${spokenVersions.join(' or ')}`];
  if (!provider) return [`three_ds_provider: must be ${offered}`, ...problems];
  if (provider === 'sandbox') return problems;
  return [
    ...problems,
    ...(secrets['thirdparty_password'] ? [] : ['thirdparty_password: is missing: the API key of the 3DS server']),
    ...(threeDsServerUrl(fieldText(service, 'thirdparty_base_url'), rules)
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

const readCountry = (fields: Fields): Pick<Settings, 'acquirerCountryNumber'> => {
  const acquirerCountryNumber = countryNumber(fieldText(fields, 'acquirerCountryCode'));
  return acquirerCountryNumber === undefined ? {} : { acquirerCountryNumber };
};

/** Reads settings, which must have no problems. */
export const readSettings = (stored: ThreeDsSettings, rules: SettingsRules): Settings => {
  const { settings, servicesettings: service, secrets } = stored;
  const provider = asProvider(fieldText(service, 'three_ds_provider'), rules) ?? 'sandbox';
  const isReal = provider !== 'sandbox';
  return {
    provider,
    serverUrl: isReal ? (threeDsServerUrl(fieldText(service, 'thirdparty_base_url'), rules) ?? null) : null,
    serverKey: isReal ? (secrets['thirdparty_password'] ?? null) : null,
    highestVersion: asVersion(fieldText(service, 'threedsprotocolversion')) ?? '2.2.0',
    requestorId: fieldText(service, 'thirdparty_account_id') || null,
    mastercardPrefix: fieldText(service, 'thirdparty_mastercard_prefix'),
    acquirers: readAcquirers(settings),
    mcc: fieldText(settings, 'mcc'),
    countryNumber: countryNumber(fieldText(settings, 'merchantCountryCode')) ?? '',
    ...readCountry(settings),
    merchantName: fieldText(settings, 'merchantName'),
    requestorName: fieldText(settings, 'requestorName'),
    requestorUrl: fieldText(settings, 'requestorURL'),
    authenticationInd: fieldText(settings, 'authenticationInd') || '01',
    challengeInd: fieldText(settings, 'challengeInd') || '01',
    acctType: fieldText(settings, 'acctType') || null,
    transType: fieldText(settings, 'transType') || '01',
    messageCategory: asCategory(fieldText(settings, 'messageCategory')) ?? '01',
    disablesChallenge: isOn(settings, 'disableChallenge'),
    mode: fieldText(settings, 'clientMode') === 'inline' ? 'inline' : 'modal',
    tellsValues: isOn(settings, 'enableResult'),
    isVerbose: isOn(settings, 'verbose'),
  };
};

/** The currency of authentications that name none; undefined: each has to. */
export const defaultCurrency = ({ settings }: ThreeDsSettings): string | undefined =>
  readCurrencyCode(fieldText(settings, 'purchaseCurrency'));

/** Checks whether the site skips authentication. */
export const isSkipped = ({ servicesettings }: ThreeDsSettings): boolean => isOn(servicesettings, 'skip3d2');
