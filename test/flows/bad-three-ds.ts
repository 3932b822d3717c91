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
import type { BadCalls, Change, Wrong } from '#test/support/bad-calls.ts';
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
const notId: Wrong = { params: { id: 'x' }, names: 'id' };
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
      wrong: [
        notId,
        { body: { page_origin: 'shop' }, names: 'page_origin' },
        { body: { email: 'ada' }, names: 'email' },
        { body: { amount: '1e3' }, names: 'amount' },
        { body: { challenge: 'no' }, names: 'challenge' },
        { body: { exemption: 'recurring' }, names: 'exemption' },
        { body: { tid: '4242424242424242' }, names: 'tid' },
      ],
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
      wrong: [
        notId,
        { body: { authentication_id: 'x' }, names: 'authentication_id' },
        { body: { hash: 'x' }, names: 'hash' },
      ],
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
      wrong: [
        { body: { sid: 'x' }, names: 'sid' },
        { body: { outcome: 'liked' }, names: 'outcome' },
        { body: { date_to: '2026-13-01' }, names: 'date_to' },
        { body: { size: 0 }, names: 'size' },
        { as: 'admin', body: { sid: undefined }, names: 'mid' },
      ],
      refused: {
        merchant_not_found: { body: { mid: nobody } },
        site_not_found: { body: { sid: othersSite.sid } },
      },
      alike: [{ body: { sid: othersSite.sid } }, { body: { sid: nobody } }],
    },
    'threeds/authentication-details': {
      params: { id: own.id },
      wrong: [notId],
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
    wrong: [notId, { body: { client_token: '' }, names: 'client_token' }],
    refused: {
      client_token_wrong: { body: { client_token: theirs.token } },
      page_origin_wrong: { headers: { origin: 'https://evil.example' } },
    },
    alike: [{ params: { id: theirs.id } }, { params: { id: nobody } }],
  });
  const usual = page(pageOrigin);
  const cards: Wrong[] = [
    { body: { card_no: '4242424242424241' }, names: 'card_no' },
    { body: { card_no: '' }, names: 'card_no' },
    { body: { card_exp_month: '13' }, names: 'card_exp_month' },
    { body: { card_exp_year: '99' }, names: 'card_exp_year' },
    { body: { card_name: card }, names: 'card_name' },
  ];
  return {
    'threeds/start': {
      ...usual,
      body: { ...usual.body, ...cardFields(card) },
      wrong: [...usual.wrong, ...cards],
      refused: { ...usual.refused, too_many_attempts: { prepare: async () => ofAuthentication(await started(5)) } },
    },
    'threeds/authenticate': {
      ...usual,
      body: { ...usual.body, ...askFields(card) },
      wrong: [
        ...usual.wrong,
        ...cards,
        { body: { browser: 'x' }, names: 'browser' },
        { body: { window_size: '09' }, names: 'window_size' },
        { body: { method: 'no' }, names: 'method' },
      ],
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
      wrong: [...usual.wrong, { body: { reason: 'bored' }, names: 'reason' }],
    },
    'threeds/frame-data': {
      ...page(new URL(service.url).origin),
      body: { ...usual.body, kind: 'challenge' },
      wrong: [...usual.wrong, { body: { kind: 'popup' }, names: 'kind' }],
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
  'threeds/method-return': { wrong: [{ body: { threeDSMethodData: 'x'.repeat(4097) }, names: 'threeDSMethodData' }] },
  'threeds/challenge-return': { wrong: [{ body: { cres: 'x'.repeat(65_537) }, names: 'cres' }] },
  'threeds/sdk-file': {
    params: { file: 'v1.mjs' },
    wrong: [{ params: { file: 'a~b' }, names: 'file' }],
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
      wrong: [
        { body: { sid: 'x' }, names: 'sid' },
        { body: { rcode: '' }, names: 'rcode' },
        { body: { amount: '1e3' }, names: 'amount' },
        { body: { currency: 'XYZ' }, names: 'currency' },
      ],
    },
    'threeds/sandbox-method': {
      body: { threeDSMethodData: creq },
      wrong: [
        { params: { silent: 'x' }, names: 'silent' },
        { body: { threeDSMethodData: 'x'.repeat(4097) }, names: 'threeDSMethodData' },
      ],
      refused: { page_not_found: { body: { threeDSMethodData: 'x' } } },
    },
    'threeds/sandbox-challenge': {
      body: { creq },
      wrong: [{ body: long, names: 'creq' }],
      refused: { page_not_found: { body: { creq: 'x' } } },
    },
    'threeds/sandbox-answer': {
      body: { creq, action: 'never' },
      wrong: [
        { body: long, names: 'creq' },
        { body: { action: 'dance' }, names: 'action' },
        { body: { code: '1'.repeat(21) }, names: 'code' },
      ],
      refused: { page_not_found: { body: { creq: 'x' } } },
    },
  };
};
