import { describe, expect, it } from 'vitest';
import { acquirerFor } from '#payments/threeds/server/areq.ts';
import { defaultCurrency, isSkipped, problemsOfSettings, readSettings } from '#payments/threeds/three-ds-settings.ts';
import { sandboxRules, stored } from './samples.ts';

const sealed = { sealed: 'sealed', validUntil: null };
const production = { allowSandbox: false, allowLoopbackHttp: false };
const badNames = (...parameters: Parameters<typeof problemsOfSettings>): string[] =>
  problemsOfSettings(...parameters).map((problem) => problem.split(':')[0] ?? '');

describe('the settings of a 3DS site', () => {
  it('are enough as they are here', () => expect(problemsOfSettings(stored(), sandboxRules)).toEqual([]));

  it.each([
    'acquirerBin',
    'acquirerMid',
    'mcc',
    'merchantCountryCode',
    'merchantName',
    'requestorName',
    'requestorURL',
  ])('lack %s', (name) => {
    expect(problemsOfSettings(stored({ [name]: ' ' }), sandboxRules)).toEqual([
      expect.stringMatching(new RegExp(`^${name}: is missing: `)),
    ]);
  });

  it.each([
    ['mcc', '57'],
    ['merchantCountryCode', 'XX'],
    ['requestorURL', 'shop'],
    ['authenticationInd', '1'],
    ['challengeInd', 'no'],
    ['acctType', '04'],
    ['transType', '02'],
    ['messageCategory', 'all'],
    ['purchaseCurrency', 'EURO'],
    ['clientMode', 'popup'],
    ['acquirerBin', 'x'],
    ['acquirerCountryCode', 'Atlantis'],
    ['challengeInd', '99'],
    ['merchantName', '茶館'],
    ['disableChallenge', 'yes'],
  ])('have a wrong %s', (name, value) => {
    expect(problemsOfSettings(stored({ [name]: value }), sandboxRules)).toEqual([
      expect.stringMatching(new RegExp(`^${name}: must be `)),
    ]);
  });

  it('name everything that is missing at once', () => {
    const empty = { settings: {}, servicesettings: {}, secrets: {} };
    const names = ['acquirerBin', 'acquirerMid', 'mcc', 'merchantCountryCode', 'merchantName', 'requestorName'];
    expect(badNames(empty, production)).toEqual([...names, 'requestorURL', 'three_ds_provider']);
  });

  it('want the whole acquirer of a scheme, or none', () => {
    expect(problemsOfSettings(stored({ masterAcquirerBin: '1' }), sandboxRules)).toEqual([
      'masterAcquirerMid: is missing beside masterAcquirerBin',
    ]);
    expect(badNames(stored({ scheme4AcquirerMid: '1' }), sandboxRules)).toEqual(['scheme4AcquirerBin']);
  });

  it('say that 3DS 1 has ended', () => {
    expect(problemsOfSettings(stored({ enable3DS1Only: '1' }), sandboxRules)).toEqual([
      'enable3DS1Only: must be 0, as 3DS 1 has ended',
    ]);
    expect(problemsOfSettings(stored({ enable3DS1Only: '0' }), sandboxRules)).toEqual([]);
  });

  it('name who speaks with the directory servers', () => {
    expect(badNames(stored(), production)).toEqual(['three_ds_provider']);
    expect(badNames(stored({}, { three_ds_provider: 'sandbox' }), production)).toEqual(['three_ds_provider']);
    expect(badNames(stored({}, { three_ds_provider: 'other' }), sandboxRules)).toEqual(['three_ds_provider']);
    const real = { three_ds_provider: '3dsecureio' };
    expect(badNames(stored({}, real), production)).toEqual(['thirdparty_password']);
    expect(badNames(stored({}, real, { thirdparty_password: sealed }), production)).toEqual([]);
  });

  it.each([
    ['', 'https://service.3dsecure.io'],
    ['service.sandbox.3dsecure.io', 'https://service.sandbox.3dsecure.io'],
    ['https://service.3dsecure.io/', 'https://service.3dsecure.io'],
    ['http://127.0.0.1:9000', 'http://127.0.0.1:9000'],
    ['https://evil.example', undefined],
    ['http://service.3dsecure.io', undefined],
    ['https://service.3dsecure.io:444', undefined],
    ['https://user@service.3dsecure.io', undefined],
    ['javascript:alert(1)', undefined],
  ])('send cards to %j', (thirdparty_base_url, serverUrl) => {
    const site = stored({}, { three_ds_provider: '3dsecureio', thirdparty_base_url }, { thirdparty_password: sealed });
    expect(badNames(site, sandboxRules)).toEqual(serverUrl ? [] : ['thirdparty_base_url']);
    if (serverUrl) expect(readSettings(site, sandboxRules)).toMatchObject({ serverUrl, serverKey: sealed });
    const isLocal = thirdparty_base_url.includes('127.0.0.1');
    expect(badNames(site, production)).toEqual(serverUrl && !isLocal ? [] : ['thirdparty_base_url']);
  });

  it.each([
    ['', '2.3.1'],
    ['2.2.0', '2.2.0'],
    ['2.2', '2.2.0'],
    ['2.3', '2.3.1'],
    ['2.1.0', undefined],
    ['1.0.2', undefined],
  ])('allow versions up to %j', (threedsprotocolversion, highestVersion) => {
    const site = stored({}, { threedsprotocolversion });
    expect(badNames(site, sandboxRules)).toEqual(highestVersion ? [] : ['threedsprotocolversion']);
    if (highestVersion) expect(readSettings(site, sandboxRules)).toMatchObject({ highestVersion });
  });

  it('mean what they say, and have the usual values where they say nothing', () => {
    expect(readSettings(stored(), sandboxRules)).toMatchObject({
      ...{ provider: 'sandbox', serverUrl: null, serverKey: null, requestorId: null, mastercardPrefix: '' },
      ...{
        mcc: '5732',
        countryNumber: '276',
        merchantName: 'Teehaus München',
        requestorUrl: 'https://shop.example.com',
      },
      ...{ authenticationInd: '01', challengeInd: '01', acctType: null, transType: '01', messageCategory: '01' },
      ...{ disablesChallenge: false, mode: 'modal', tellsValues: false, isVerbose: false },
    });
    const said = { authenticationInd: '02', challengeInd: '04', acctType: '02', transType: '11', clientMode: 'inline' };
    const flags = { disableChallenge: '1', enableResult: '1', verbose: 1, messageCategory: 'NPA' };
    const service = { thirdparty_account_id: 'req-1', thirdparty_mastercard_prefix: 'MC' };
    expect(readSettings(stored({ ...said, ...flags }, service), sandboxRules)).toMatchObject({
      ...{ authenticationInd: '02', challengeInd: '04', acctType: '02', transType: '11', mode: 'inline' },
      ...{ disablesChallenge: true, tellsValues: true, isVerbose: true, messageCategory: '02' },
      ...{ requestorId: 'req-1', mastercardPrefix: 'MC' },
    });
  });

  it('give each scheme its acquirer, and the first to all that have none', () => {
    const pairs = ['masterAcquirer', 'scheme3Acquirer', 'scheme4Acquirer', 'scheme5Acquirer'];
    const own = Object.fromEntries(
      pairs.flatMap((name) => [
        [`${name}Bin`, name],
        [`${name}Mid`, 'm'],
      ]),
    );
    const settings = readSettings(stored(own), sandboxRules);
    const bins = ['VISA', 'MASTERCARD', 'AMEX', 'DISCOVER', 'DINERS', 'JCB', 'UNIONPAY'] as const;
    expect(bins.map((scheme) => acquirerFor(settings, scheme).bin)).toEqual([
      '438309',
      ...['masterAcquirer', 'scheme3Acquirer', 'scheme4Acquirer', 'scheme4Acquirer', 'scheme5Acquirer'],
      '438309',
    ]);
    const one = readSettings(stored(), sandboxRules);
    expect(bins.map((scheme) => acquirerFor(one, scheme).mid)).toEqual(bins.map(() => '00002000000'));
  });

  it('tell a currency, and whether anybody is authenticated at all', () => {
    expect(
      [stored(), stored({ purchaseCurrency: '978' }), stored({ purchaseCurrency: 'usd' })].map(defaultCurrency),
    ).toEqual([undefined, 'EUR', 'USD']);
    expect([stored(), stored({}, { skip3d2: 1 }), stored({}, { skip3d2: 0 })].map(isSkipped)).toEqual([
      false,
      true,
      false,
    ]);
  });
});
