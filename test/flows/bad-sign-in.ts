import { Secret, TOTP } from 'otpauth';
import type { BadCalls, Change } from '#test/support/bad-calls.ts';
import type { TestStack } from '#test/support/stack.ts';

/** The subjects of the calls. */
export type SignInFixture = {
  service: TestStack;
  /** The demo merchant. */
  mid: number;
  /** Users of it, of whom the last three have a second factor. */
  plain: Person;
  guarded: Person;
  guessed: Person;
  ready: Person & { token: string };
};

type Person = { username: string; password: string };

const json = (text: unknown): Record<string, unknown> => Object(text);
const nobody = 999_999;
const wrongCode = 'not a code';

/** Makes users through the service's own calls. */
export const makePeople = (service: TestStack, admin: string) => {
  const origin = { origin: service.url };
  const post = async (path: string, body: object, more: object = {}) => {
    const { status, body: answer, text } = await service.call(`/api/v3/${path}`, { body, headers: origin, ...more });
    if (status !== 200) throw new Error(`${path} answered ${status}: ${text}`);
    return answer;
  };
  const plain = async (username: string, mid: number): Promise<Person> => {
    const password = `the password of ${username}`;
    const made = { username, name: username, role: 'developer', mid };
    const { setup_url } = await post('users/create', made, { token: admin });
    const [token = ''] = /[\w-]{43}$/.exec(String(setup_url)) ?? [];
    await post('users/password', { token, password });
    return { username, password };
  };
  const withFactor = async (username: string, mid: number): Promise<Person & { token: string }> => {
    const person = await plain(username, mid);
    const { access_token } = await post('session/create', person);
    const { challenge, secret } = await post('session/factor/setup', {}, { token: String(access_token) });
    const app = new TOTP({ secret: Secret.fromBase32(String(secret)) });
    const code = app.generate({ timestamp: service.clock.now().getTime() });
    const { access_token: token } = await post('session/factor', { challenge, code });
    return { ...person, token: String(token) };
  };
  return { plain, withFactor };
};

/** Calls badly until no more is taken of this username. */
const lock = async ({ service }: SignInFixture, path: string, body: object): Promise<void> => {
  for (let attempt = 0; attempt < 5; attempt += 1) {
    await service.call(`/api/v3/${path}`, { body, headers: { origin: service.url } });
  }
};

/** Returns the answer to a right password where a code must follow. */
const getChallenge = async ({ service }: SignInFixture, person: Person): Promise<string> => {
  const { username, password } = person;
  const { body } = await service.call('/api/v3/session/create', {
    body: { username, password },
    headers: { origin: service.url },
  });
  return String(json(body)['challenge']);
};

const elsewhere: Change = { headers: { origin: 'https://elsewhere.example' } };
const longName = { body: { username: 'n'.repeat(101) }, names: 'username' };

const ofSessions = (fixture: SignInFixture): Record<string, BadCalls> => {
  const { service, plain, guarded, guessed, ready } = fixture;
  const headers = { origin: service.url };
  const factorOf = async (person: Person) => ({
    body: { challenge: await getChallenge(fixture, person), code: wrongCode },
  });
  return {
    'auth/create-session': {
      headers,
      body: { ...plain },
      wrongBody: { password: [''] },
      wrong: [longName],
      refused: {
        cross_site: elsewhere,
        credentials_wrong: { body: { password: 'another one' } },
        second_factor_needed: { body: { username: guarded.username, password: guarded.password } },
        too_many_attempts: {
          prepare: async () => {
            const body = { username: 'guessed at the door', password: 'a guess' };
            await lock(fixture, 'session/create', body);
            return { body };
          },
        },
      },
    },
    'auth/answer-factor': {
      headers,
      body: { challenge: 'never given', code: '000000' },
      wrongBody: { code: ['c'.repeat(21)] },
      refused: {
        cross_site: elsewhere,
        session_over: {},
        second_factor_wrong: { prepare: () => factorOf(guarded) },
        too_many_attempts: {
          prepare: async () => {
            const change = await factorOf(guessed);
            await lock(fixture, 'session/factor', change.body);
            return change;
          },
        },
      },
    },
    'auth/refresh-session': { headers, wrong: [], refused: { cross_site: elsewhere, session_over: {} } },
    'auth/end-session': {
      headers,
      wrongBody: { everywhere: ['perhaps'] },
      refused: { cross_site: elsewhere },
    },
    'auth/set-up-factor': {
      wrong: [],
      refused: { second_factor_set: { headers: { authorization: `Bearer ${ready.token}` } } },
    },
  };
};

const ofUsers = (fixture: SignInFixture): Record<string, BadCalls> => {
  const { service, plain, mid, guarded, ready } = fixture;
  return {
    'auth/get-token': {
      body: { ...plain },
      wrongBody: { password: [''], code: [' '] },
      wrong: [longName],
      refused: {
        credentials_wrong: { body: { password: 'another one' } },
        second_factor_needed: { body: { username: guarded.username, password: guarded.password } },
        second_factor_wrong: { body: { username: guarded.username, password: guarded.password, code: wrongCode } },
        too_many_attempts: {
          prepare: async () => {
            const body = { username: 'guessed by a program', password: 'a guess' };
            for (let attempt = 0; attempt < 5; attempt += 1) {
              await service.call('/api/v2/index.php/gettoken', { body });
            }
            return { body };
          },
        },
      },
    },
    'auth/create-user': {
      body: { username: 'made-badly', name: 'Nobody', role: 'analyst' },
      wrongBody: { role: ['king'], email: ['nowhere'] },
      refused: {
        merchant_not_found: { as: 'admin', body: { mid: nobody } },
        username_taken: { as: 'admin', body: { username: plain.username, mid } },
      },
    },
    'auth/update-user': {
      body: { username: plain.username },
      wrongBody: { role: ['king'], password_link: [false] },
      refused: {
        user_not_found: { as: 'otherTenant' },
        user_is_caller: { body: { username: service.credentials.merchant.username, disabled: true } },
        changed_meanwhile: 'race',
      },
    },
    'auth/list-users': {
      body: { mid },
      wrongBody: { size: [501] },
      refused: { merchant_not_found: { body: { mid: nobody } } },
    },
    'auth/list-audit': {
      body: { mid },
      wrongBody: { sid: ['x'], date_from: ['yesterday'], size: [501] },
      refused: {
        merchant_not_found: { as: 'otherTenant' },
        site_not_found: { as: 'otherTenant', body: { mid: undefined, sid: service.credentials.site.sid } },
        user_not_found: { as: 'otherTenant', body: { mid: undefined, username: plain.username } },
      },
    },
    'auth/change-own-password': {
      headers: { authorization: `Bearer ${ready.token}` },
      body: { current_password: 'a password for nobody', password: 'correct horse battery' },
      wrongBody: { current_password: ['', 'a guess'], password: ['short', 'a password for nobody'] },
      refused: {
        too_many_attempts: {
          prepare: async () => {
            const body = { current_password: 'a guess', password: 'correct horse battery' };
            for (let attempt = 0; attempt < 5; attempt += 1) {
              await service.call('/api/v3/session', { body, token: ready.token });
            }
            return {};
          },
        },
      },
    },
    'auth/ask-for-password': {
      headers: { origin: service.url },
      body: { username: 'forgetful' },
      wrong: [longName, { body: { language: 'tlh' }, names: 'language' }],
      refused: {
        cross_site: elsewhere,
        too_many_attempts: {
          prepare: async () => {
            const call = { method: 'PUT', body: { username: 'more forgetful' }, headers: { origin: service.url } };
            for (let attempt = 0; attempt < 3; attempt += 1) await service.call('/api/v3/users/password', call);
            return { body: call.body };
          },
        },
      },
    },
    'auth/set-password': {
      body: { token: 'T'.repeat(43), password: 'a password for nobody' },
      wrongBody: { token: ['short'], password: [''] },
      refused: { password_link_not_found: {} },
    },
  };
};

const pages: Record<string, BadCalls> = {
  'dashboard/page': { wrong: [] },
  'dashboard/file': {
    params: { id: 'index.js' },
    wrongParams: { id: ['f'.repeat(101)] },
    refused: { page_not_found: { params: { id: 'no-such-file.js' } } },
  },
  'documents/docs-page': { wrong: [] },
  'documents/docs-file': {
    params: { file: 'docs.js' },
    wrongParams: { file: ['f'.repeat(41)] },
    refused: { page_not_found: { params: { file: 'no-such-file.js' } } },
  },
  'documents/error-page': {
    params: { code: 'token_expired' },
    wrongParams: { code: ['c'.repeat(61)] },
    refused: { page_not_found: { params: { code: 'no_such_code' } } },
  },
  'documents/open-api': { wrong: [] },
  'documents/front': { wrong: [] },
  'documents/health': { wrong: [] },
};

/** Bad calls of what signs people in, and of the pages that anybody may load. */
export const badSignIn = (fixture: SignInFixture): Record<string, BadCalls> => ({
  ...ofSessions(fixture),
  ...ofUsers(fixture),
  ...pages,
});
