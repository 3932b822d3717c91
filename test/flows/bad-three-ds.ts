import { fromBase64Url } from '#payments/threeds/server/base64url.ts';
import { visaNumbers } from '#test/payments/threeds/contract.ts';
import { askFields, cardFields, pageOrigin } from '#test/payments/threeds/shop.ts';
import {
  type BegunOverHttp,
  beginOverHttp,
  callAsPage,
  create3dsBody,
  detailsHash,
  type ThreeDsSite as Site,
} from '#test/support/authentications.ts';
import type { BadCalls, Change } from '#test/support/bad-calls.ts';
import type { TestStack } from '#test/support/stack.ts';

/** Bad calls of the operations of native 3-D Secure. */

export type ThreeDsFixture = {
  service: TestStack;
  site: Site;
  /** One without settings, one of payments, one of another merchant. */
  bareSite: Site;
  paymentSite: Site;
  othersSite: Site;
};

const nobody = 999_999_999;
const hash = 'a'.repeat(32);
const card = visaNumbers[2103];

const begin = ({ service }: ThreeDsFixture, site: Site): Promise<BegunOverHttp> => beginOverHttp(service, site);
const asPage = ({ service }: ThreeDsFixture, ...call: Page): Promise<Record<string, unknown>> =>
  callAsPage(service, ...call);
type Page = Parameters<typeof callAsPage> extends [unknown, ...infer Rest] ? Rest : never;

export const badThreeDs = async (fixture: ThreeDsFixture): Promise<Record<string, BadCalls>> => ({
  ...(await ofSites(fixture)),
  ...(await ofPages(fixture)),
  ...ofFrames(),
  ...(await ofSandbox(fixture)),
});

const ofSites = async (fixture: ThreeDsFixture): Promise<Record<string, BadCalls>> => {
  const { site, bareSite, paymentSite, othersSite } = fixture;
  const [own, theirs] = [await begin(fixture, site), await begin(fixture, othersSite)];
  const { service } = fixture;
  const at = (other: Site): Change => ({ params: { id: other.sid }, body: create3dsBody(service, other) });
  return {
    'threeds/create3ds': {
      params: { id: site.sid },
      body: create3dsBody(service, site),
      wrongBody: {
        page_origin: ['shop'],
        email: ['ada'],
        amount: ['1e3'],
        challenge: ['no'],
        exemption: ['recurring'],
        tid: ['4242424242424242'],
      },
      wrongParams: { id: ['x'] },
      refused: {
        hash_wrong: { body: { hash } },
        site_not_for_3ds: at(paymentSite),
        three_ds_settings_missing: at(bareSite),
        tid_reused: {
          after: { body: { tid: 'A tid' } },
          body: create3dsBody(service, site, { amount: '11.00', tid: 'A tid' }),
        },
      },
      alike: [{ params: { id: othersSite.sid } }, { params: { id: nobody } }],
    },
    'threeds/get3ds': {
      params: { id: site.sid },
      body: { authentication_id: own.id, hash: detailsHash(site, own.id) },
      wrongBody: { authentication_id: ['x'], hash: ['x'] },
      wrongParams: { id: ['x'] },
      refused: {
        hash_wrong: { body: { hash } },
        authentication_not_found: { body: { authentication_id: theirs.id, hash: detailsHash(site, theirs.id) } },
      },
      alike: [
        { body: { authentication_id: theirs.id, hash: detailsHash(site, theirs.id) } },
        { body: { authentication_id: nobody, hash: detailsHash(site, nobody) } },
      ],
    },
    'threeds/list-authentications': {
      body: { sid: site.sid },
      wrongBody: { sid: ['x'], outcome: ['liked'], date_to: ['2026-13-01'], size: [0] },
      wrong: [{ as: 'admin', body: { sid: undefined }, names: 'mid' }],
      refused: {
        merchant_not_found: { body: { mid: nobody } },
        site_not_found: { body: { sid: othersSite.sid } },
      },
      alike: [{ body: { sid: othersSite.sid } }, { body: { sid: nobody } }],
    },
    'threeds/authentication-details': {
      params: { id: own.id },
      wrongParams: { id: ['x'] },
      refused: { authentication_not_found: { params: { id: theirs.id } } },
      alike: [{ params: { id: theirs.id } }, { params: { id: nobody } }],
    },
  };
};

/** Another authentication for one call. */
const ofAuthentication = ({ id, token }: BegunOverHttp): Change => ({ params: { id }, body: { client_token: token } });

const ofPages = async (fixture: ThreeDsFixture): Promise<Record<string, BadCalls>> => {
  const { site, othersSite, service } = fixture;
  const [own, theirs] = [await begin(fixture, site), await begin(fixture, othersSite)];
  const again = () => begin(fixture, site);
  const started = async (times = 1): Promise<BegunOverHttp> => {
    const begun = await again();
    for (let n = 0; n < times; n += 1) await asPage(fixture, begun, 'start', cardFields(card));
    return begun;
  };
  const asked = async (): Promise<BegunOverHttp> => {
    const begun = await again();
    for (let n = 0; n < 3; n += 1) {
      await asPage(fixture, begun, 'start', cardFields(visaNumbers[2072]));
      await asPage(fixture, begun, 'authenticate', askFields(visaNumbers[2072]));
    }
    await asPage(fixture, begun, 'start', cardFields(card));
    return begun;
  };
  const page = (origin: string): BadCalls => ({
    params: { id: own.id },
    body: { client_token: own.token },
    headers: { origin },
    wrongBody: { client_token: [''] },
    wrongParams: { id: ['x'] },
    refused: {
      client_token_wrong: { body: { client_token: theirs.token } },
      page_origin_wrong: { headers: { origin: 'https://evil.example' } },
    },
    alike: [{ params: { id: theirs.id } }, { params: { id: nobody } }],
  });
  const usual = page(pageOrigin);
  const cards = {
    card_no: ['4242424242424241', ''],
    card_exp_month: ['13'],
    card_exp_year: ['99'],
    card_name: [card],
  };
  return {
    'threeds/start': {
      ...usual,
      body: { ...usual.body, ...cardFields(card) },
      wrongBody: { ...usual.wrongBody, ...cards },
      refused: { ...usual.refused, too_many_attempts: { prepare: async () => ofAuthentication(await started(5)) } },
    },
    'threeds/authenticate': {
      ...usual,
      body: { ...usual.body, ...askFields(card) },
      wrongBody: { ...usual.wrongBody, ...cards, browser: ['x'], window_size: ['09'], method: ['no'] },
      refused: {
        ...usual.refused,
        authentication_state_wrong: { prepare: async () => ofAuthentication(await again()) },
        too_many_attempts: { prepare: async () => ofAuthentication(await asked()) },
      },
    },
    'threeds/status': usual,
    'threeds/cancel': {
      ...usual,
      body: { ...usual.body, reason: 'payer' },
      wrongBody: { ...usual.wrongBody, reason: ['bored'] },
    },
    'threeds/frame-data': {
      ...page(new URL(service.url).origin),
      body: { ...usual.body, kind: 'challenge' },
      wrongBody: { ...usual.wrongBody, kind: ['popup'] },
      refused: {
        ...usual.refused,
        authentication_state_wrong: { prepare: async () => ofAuthentication(await started()) },
      },
    },
  };
};

/** Those that anybody may load say nothing of anybody. */
const ofFrames = (): Record<string, BadCalls> => ({
  'threeds/frame-page': { wrong: [] },
  'threeds/frame-script': { wrong: [] },
  'threeds/return-script': { wrong: [] },
  'threeds/method-return': { wrongBody: { threeDSMethodData: ['x'.repeat(4097)] } },
  'threeds/challenge-return': { wrongBody: { cres: ['x'.repeat(65_537)] } },
  'threeds/sdk-file': {
    params: { file: 'v1.mjs' },
    wrongParams: { file: ['a~b'] },
    refused: { page_not_found: { params: { file: 'v9.mjs' } } },
  },
});

const ofSandbox = async (fixture: ThreeDsFixture): Promise<Record<string, BadCalls>> => {
  const begun = await begin(fixture, fixture.site);
  await asPage(fixture, begun, 'start', cardFields(visaNumbers[2072]));
  await asPage(fixture, begun, 'authenticate', askFields(visaNumbers[2072]));
  const { origin } = new URL(fixture.service.url);
  const creq = String((await asPage(fixture, begun, 'frame', { kind: 'challenge' }, origin))['value']);
  if (!fromBase64Url(creq)) throw new Error('The CReq cannot be read');
  const long = { creq: 'x'.repeat(8193) };
  return {
    'threeds/sandbox-script': { wrong: [] },
    'threeds/sandbox-shop': { wrong: [] },
    'threeds/sandbox-shop-script': { wrong: [] },
    'threeds/sandbox-shop-sign': {
      body: { sid: fixture.site.sid, rcode: 'any', amount: '10.00', currency: 'USD' },
      wrongBody: { sid: ['x'], rcode: [''], amount: ['1e3'], currency: ['XYZ'] },
    },
    'threeds/sandbox-method': {
      body: { threeDSMethodData: creq },
      wrongParams: { silent: ['x'] },
      wrongBody: { threeDSMethodData: ['x'.repeat(4097)] },
      refused: { page_not_found: { body: { threeDSMethodData: 'x' } } },
    },
    'threeds/sandbox-challenge': {
      body: { creq },
      wrong: [{ body: long, names: 'creq' }],
      refused: { page_not_found: { body: { creq: 'x' } } },
    },
    'threeds/sandbox-answer': {
      body: { creq, action: 'never' },
      wrongBody: { action: ['dance'], code: ['1'.repeat(21)] },
      wrong: [{ body: long, names: 'creq' }],
      refused: { page_not_found: { body: { creq: 'x' } } },
    },
  };
};
