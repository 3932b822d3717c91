import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { BrowserData, nearestColorDepth } from '#payments/threeds/payer/browser-data.ts';
import { type AreqParts, makeAreq, toCompletion } from '#payments/threeds/server/areq.ts';
import { readSettings } from '#payments/threeds/three-ds-settings.ts';
import { at, browser, created, later, sandboxRules, stored, transId } from './samples.ts';

const address = { line1: 'Kärntner Straße 1', city: 'Wien', state: '9', country: 'AT', postcode: '1010' };
const parts = (change: Partial<AreqParts> = {}): AreqParts => ({
  settings: readSettings(stored(), sandboxRules),
  scheme: 'VISA',
  version: '2.2.0',
  serverTransId: transId,
  method: 'Y',
  challengeInd: '01',
  money: { minor: '1050', currency: 'EUR', exponent: 2 },
  payer: {
    firstName: 'Zoë',
    lastName: 'Müller',
    email: 'zoe@example.com',
    phone: '+43 1 234567',
    address,
    shipping: null,
    account: null,
  },
  holder: null,
  browser,
  request: { accept: 'text/html', acceptLanguage: 'de-CH, de;q=0.9, *;q=0.5', ip: '203.0.113.7' },
  notificationUrl: 'https://pay.example.com/3ds/challenge',
  at,
  ...change,
});

describe('an AReq', () => {
  it('of 2.2.0 contains the fields that the specification’s tables require', () => {
    expect(makeAreq(parts())).toEqual({
      messageType: 'AReq',
      messageVersion: '2.2.0',
      messageCategory: '01',
      deviceChannel: '02',
      threeDSServerTransID: transId,
      threeDSCompInd: 'Y',
      notificationURL: 'https://pay.example.com/3ds/challenge',
      threeDSRequestorName: 'Teehaus',
      threeDSRequestorURL: 'https://shop.example.com',
      threeDSRequestorAuthenticationInd: '01',
      threeDSRequestorChallengeInd: '01',
      acquirerBIN: '438309',
      acquirerMerchantID: '00002000000',
      mcc: '5732',
      merchantCountryCode: '276',
      merchantName: 'Teehaus Munchen',
      purchaseAmount: '1050',
      purchaseCurrency: '978',
      purchaseExponent: '2',
      purchaseDate: '20260502101112',
      transType: '01',
      cardholderName: 'Zoe Muller',
      email: 'zoe@example.com',
      mobilePhone: { cc: '43', subscriber: '1234567' },
      billAddrLine1: 'Karntner Strasse 1',
      billAddrCity: 'Wien',
      billAddrState: '9',
      billAddrPostCode: '1010',
      billAddrCountry: '040',
      browserAcceptHeader: 'text/html',
      browserJavascriptEnabled: true,
      browserJavaEnabled: false,
      browserLanguage: 'de-CH',
      browserColorDepth: '24',
      browserScreenHeight: '1080',
      browserScreenWidth: '1920',
      browserTZ: '-120',
      browserUserAgent: 'Mozilla/5.0 (X11; Linux x86_64) Test',
      browserIP: '203.0.113.7',
    });
  });

  it('of 2.3.1 differs in what changed', () => {
    const [old, areq] = [makeAreq(parts()), makeAreq(parts({ version: '2.3.1' }))];
    const changed = Object.keys(areq).filter((name) => JSON.stringify(areq[name]) !== JSON.stringify(old[name]));
    const acquirer = ['acquirerCountryCode', 'acquirerCountryCodeSource'];
    expect(changed).toEqual(['messageVersion', 'threeDSRequestorChallengeInd', ...acquirer, 'acceptLanguage']);
    expect(areq).toMatchObject({ threeDSRequestorChallengeInd: ['01'], acceptLanguage: ['de-CH', 'de'] });
    expect(areq).toMatchObject({ acquirerCountryCode: '276', acquirerCountryCodeSource: '01' });
    const elsewhere = readSettings(stored({ acquirerCountryCode: 'GB' }), sandboxRules);
    expect(makeAreq(parts({ version: '2.3.1', settings: elsewhere }))).toMatchObject({ acquirerCountryCode: '826' });
    const silent = makeAreq(parts({ version: '2.3.1', request: { accept: '', acceptLanguage: '', ip: '' } }));
    expect(silent).toMatchObject({ acceptLanguage: ['de-CH'], browserAcceptHeader: '*/*' });
    expect(silent).not.toHaveProperty('browserIP');
  });

  it('says how the 3DS method went, whatever the page says where there is none', () => {
    const said = ['Y', 'N', 'U'] as const;
    expect(said.map((method) => toCompletion('https://acs.example.com/method', method))).toEqual(['Y', 'N', 'N']);
    expect(said.map((method) => toCompletion(null, method))).toEqual(['U', 'U', 'U']);
    expect(said.map((method) => makeAreq(parts({ method }))['threeDSCompInd'])).toEqual([...said]);
  });

  it('has no transaction type where it is for no payment', () => {
    const settings = readSettings(stored({ messageCategory: '02' }), sandboxRules);
    const areq = makeAreq(parts({ settings, money: { minor: '0', currency: 'EUR', exponent: 2 } }));
    expect(areq).toMatchObject({ messageCategory: '02', purchaseAmount: '0' });
    expect(areq).not.toHaveProperty('transType');
  });

  it('is asked for by the name that each scheme knows', () => {
    const service = { thirdparty_account_id: 'req-1', thirdparty_mastercard_prefix: 'MC-' };
    const settings = readSettings(
      stored({ masterAcquirerBin: '555', masterAcquirerMid: 'm', acctType: '02' }, service),
      sandboxRules,
    );
    expect(makeAreq(parts({ settings }))).toMatchObject({
      threeDSRequestorID: 'req-1',
      acquirerBIN: '438309',
      acctType: '02',
    });
    expect(makeAreq(parts({ settings, scheme: 'MASTERCARD' }))).toMatchObject({
      ...{ threeDSRequestorID: 'MC-req-1', acquirerBIN: '555', acquirerMerchantID: 'm' },
    });
  });

  it("uses the cardholder's name before that of the payer, and none with characters that are not allowed", () => {
    expect(makeAreq(parts({ holder: 'Z. MÜLLER' }))).toMatchObject({ cardholderName: 'Z. MULLER' });
    expect(makeAreq(parts({ holder: '李' }))).toMatchObject({ cardholderName: 'Zoe Muller' });
    const payer = { ...parts().payer, firstName: null, lastName: '李', phone: '12', email: `${'a'.repeat(250)}@b.de` };
    const areq = makeAreq(parts({ payer }));
    for (const name of ['cardholderName', 'mobilePhone', 'email']) expect(areq).not.toHaveProperty(name);
  });

  it('says whether the goods go to where the bill goes', () => {
    const shipTo = (shipping: typeof address) => makeAreq(parts({ payer: { ...parts().payer, shipping } }));
    expect(shipTo({ ...address, city: ' WIEN' })).toMatchObject({ addrMatch: 'Y', shipAddrCountry: '040' });
    const elsewhere = shipTo({ ...address, state: 'Niederösterreich', country: '', postcode: '2500' });
    expect(elsewhere).toMatchObject({ addrMatch: 'N', shipAddrPostCode: '2500' });
    for (const name of ['shipAddrState', 'shipAddrCountry']) expect(elsewhere).not.toHaveProperty(name);
    expect(makeAreq(parts({ payer: { ...parts().payer, address: null } }))).not.toHaveProperty('addrMatch');
  });

  it.each([
    [0, '02', '01'],
    [10, '03', '02'],
    [30, '04', '03'],
    [60, '04', '03'],
    [61, '05', '04'],
  ])('classes an account by its age: %i days', (days, chAccAgeInd, chAccChangeInd) => {
    const then = later(-days * 86_400);
    const account = { id: 'k-12', createdAt: then, changedAt: then, orders6m: 12_345 };
    expect(makeAreq(parts({ payer: { ...parts().payer, account } }))).toMatchObject({
      acctID: 'k-12',
      acctInfo: {
        chAccAgeInd,
        chAccChangeInd,
        chAccDate: then.slice(0, 10).replaceAll('-', ''),
        nbPurchaseAccount: '9999',
      },
    });
  });

  it('says nothing of an account that nothing is known of', () => {
    const account = { id: null, createdAt: null, changedAt: null, orders6m: null };
    const areq = makeAreq(parts({ payer: { ...parts().payer, account } }));
    for (const name of ['acctID', 'acctInfo']) expect(areq).not.toHaveProperty(name);
    const { payer } = created();
    expect(payer && makeAreq(parts({ payer }))).not.toHaveProperty('billAddrLine1');
  });
});

describe('what the page collects of the browser', () => {
  const read = (fields: unknown) => v.safeParse(BrowserData, JSON.stringify(fields));
  it('comes as JSON', () => expect(read(browser)).toMatchObject({ success: true, output: browser }));

  it('is read where Java is not spoken of, and cut where it is long', () => {
    const { javaEnabled: _, ...rest } = { ...browser, userAgent: 'x'.repeat(3000) };
    expect(read(rest)).toMatchObject({ success: true, output: { javaEnabled: false, userAgent: 'x'.repeat(2048) } });
  });

  it.each([
    [1, 1],
    [3, 1],
    [4, 4],
    [10, 8],
    [24, 24],
    [30, 24],
    [48, 48],
    [64, 48],
  ])('a depth of %i is %i', (bits, known) => expect(nearestColorDepth(bits)).toBe(known));

  it.each([{ language: 5 }, { colorDepth: '24' }, { timezone: 'Europe/Berlin' }, { javascriptEnabled: false }])(
    'is refused: %j',
    (change) => expect(read({ ...browser, ...change }).success).toBe(false),
  );

  it.each([
    [{ colorDepth: 0 }, { colorDepth: 1 }],
    [{ colorDepth: null }, { colorDepth: 24 }],
    [
      { screenHeight: -1, screenWidth: 1.5 },
      { screenHeight: 0, screenWidth: 2 },
    ],
    [{ timezone: 2000 }, { timezone: 1440 }],
    [{ timezone: -0.25 }, { timezone: -0 }],
    [{ userAgent: '' }, { userAgent: 'unknown' }],
    [{ language: null }, { language: '' }],
  ])('does not stop the payer for what a browser reports: %j', (change, output) =>
    expect(read({ ...browser, ...change })).toMatchObject({ success: true, output }),
  );

  it.each([
    ['2.2.0', 'zh-Hans-CN', 'zh-Hans'],
    ['2.3.1', 'zh-Hans-CN', 'zh-Hans-CN'],
    ['2.2.0', 'zh-Hant-HK', 'zh-Hant'],
    ['2.2.0', 'en-GB-oxendict', 'en-GB'],
    ['2.2.0', 'es-419', 'es-419'],
    ['2.2.0', 'en-US@posix', 'en-US'],
    ['2.2.0', 'de_CH.UTF-8', 'de-CH'],
    ['2.3.1', 'ar-EG-u-nu-latn', 'ar-EG'],
    ['2.2.0', 'fil-PH', 'fil-PH'],
    ['2.2.0', 'sr-cyrl-rs', 'sr-Cyrl'],
    ['2.2.0', '', 'fr-CA'],
    ['2.2.0', 'x'.repeat(40), 'fr-CA'],
  ])('in %s tells the issuer of the language %j as %s', (version, language, tag) => {
    const request = { accept: '', acceptLanguage: '*, fr-CA;q=0.9', ip: '' };
    const areq = makeAreq(parts({ version: version as '2.2.0', browser: { ...browser, language }, request }));
    expect(areq).toMatchObject({ browserLanguage: tag });
    const silent = { ...request, acceptLanguage: '' };
    expect(makeAreq(parts({ browser: { ...browser, language: '' }, request: silent }))).toMatchObject({
      browserLanguage: 'en',
    });
  });

  it.each(['', '{', '[]', 'null', '5'])('is refused: %j', (text) =>
    expect(v.safeParse(BrowserData, text).success).toBe(false),
  );
});
