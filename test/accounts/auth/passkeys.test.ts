import { Secret, TOTP } from 'otpauth';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { passkeyHostOf } from '#accounts/auth/passkeys/passkey.ts';
import { changeUser, createUser, findUser, resetFactor, setDisabled } from '#accounts/auth/users/user-store.ts';
import { milliseconds, setClock } from '#core/kernel/clock.ts';
import { softPasskey } from '#lib/local/invoke/samples/soft-passkey.ts';
import { cookieIn, fromPage } from '#test/support/browser-session.ts';
import { ask, beforeTransactions, expectDeclared, useOperations } from '#test/support/operations.ts';

useOperations();

const start = Date.UTC(2026, 4, 2, 10);
let time = start;
beforeEach(() => {
  time += milliseconds.day;
  setClock(() => time);
});
afterEach(() => {
  setClock();
  delete process.env['SECOND_FACTOR'];
});

const password = 'correct horse battery';
/** The callers of `ask` have this name; a merchant for each keeps the tests apart. */
const newPerson = async (mid: number): Promise<string> => {
  const username = `merchant-${mid}`;
  await createUser({ username, password, scope: 'merchant', mid, role: 'analyst' });
  return username;
};
type Fields = Record<string, unknown>;
type Begun = { id: string; options: { challenge: string } };
const as = (mid: number) => ({ mid, role: 'analyst' as const });
const call = async (operation: string, mid: number, body: object = {}) => ask(operation, { as: as(mid), body });
const begin = async (body: object = {}) => (await fromPage('auth/begin-passkey-sign-in', body)).body as Begun;
const finish = (id: string, credential: object) => fromPage('auth/finish-passkey-sign-in', { id, credential });

const origin = 'https://localhost';
const addTo = async (mid: number) => {
  const device = softPasskey(origin);
  const { body } = await call('auth/begin-passkey-setup', mid);
  const { id, options } = body as Begun;
  const added = await call('auth/finish-passkey-setup', mid, {
    id,
    name: 'Laptop',
    credential: device.register(options),
  });
  expect(added.status, JSON.stringify(added.body)).toBe(200);
  return { device, codes: (added.body as { recovery_codes: string[] | null }).recovery_codes };
};
const wrong = { status: 401, body: { code: 'passkey_wrong' } };
const over = { status: 401, body: { code: 'session_over' } };

describe('a passkey', () => {
  it('signs its user in without a password, once for each challenge', async () => {
    const username = await newPerson(1);
    const { device } = await addTo(1);
    const { id, options } = await begin();
    const credential = device.authenticate(options);
    const answered = await finish(id, credential);
    expect(answered).toMatchObject({
      status: 200,
      body: { user: { username }, fresh_until: new Date(time + 900_000).toISOString() },
    });
    expect(cookieIn(answered)).not.toBe('');
    expect(await finish(id, credential)).toMatchObject(over);
  });

  it('is refused without verification, from another origin, or for another challenge', async () => {
    await newPerson(2);
    const { device } = await addTo(2);
    const first = await begin();
    expect(await finish(first.id, device.authenticate(first.options, false))).toMatchObject(wrong);
    const stolen = { ...device, ...softPasskey('https://localhost.evil.example') };
    expect(
      await finish(first.id, { ...stolen.authenticate(first.options), id: device.id, rawId: device.id }),
    ).toMatchObject(wrong);
    const used = device.authenticate(first.options);
    expect(await finish(first.id, device.authenticate(first.options))).toMatchObject({ status: 200 });
    const second = await begin();
    expect(await finish(second.id, used)).toMatchObject(wrong);
    expect(await finish(second.id, softPasskey(origin).authenticate(second.options))).toMatchObject(wrong);
  });

  it('is refused five minutes after the challenge, and for a disabled user', async () => {
    const username = await newPerson(3);
    const { device } = await addTo(3);
    const late = await begin();
    time += 5 * milliseconds.minute;
    expect(await finish(late.id, device.authenticate(late.options))).toMatchObject(over);
    await setDisabled(username, true);
    const { id, options } = await begin();
    expect(await finish(id, device.authenticate(options))).toMatchObject(wrong);
  });

  it('ends the setup of an app that was begun before the passkey was added', async () => {
    process.env['SECOND_FACTOR'] = 'required';
    const username = await newPerson(31);
    const { body } = await fromPage('auth/create-session', { username, password });
    const { challenge, setup } = body as { challenge: string; setup: { secret: string } };
    time += 1000;
    await addTo(31);
    const code = new TOTP({ secret: Secret.fromBase32(setup.secret) }).generate({ timestamp: time });
    expect(await fromPage('auth/answer-factor', { challenge, code })).toMatchObject(over);
    expect(await findUser(username)).toMatchObject({ factor: null, isProgram: false });
  });

  it('works as second factor after a password, even without user verification', async () => {
    const username = await newPerson(4);
    const { device } = await addTo(4);
    const { status, body } = await fromPage('auth/create-session', { username, password });
    expect([status, body]).toMatchObject([401, { code: 'second_factor_needed', passkey: true }]);
    const { challenge } = body as { challenge: string };
    const { id, options } = await begin({ challenge });
    expect(options).toMatchObject({ allowCredentials: [{ id: device.id }], userVerification: 'preferred' });
    expect(await finish(id, device.authenticate(options, false))).toMatchObject({ status: 200 });
    expect(await fromPage('auth/begin-passkey-sign-in', { challenge })).toMatchObject(over);
  });

  it('is not requested as second factor once five minutes have passed since the password', async () => {
    const username = await newPerson(41);
    await addTo(41);
    const { body } = await fromPage('auth/create-session', { username, password });
    const { challenge } = body as { challenge: string };
    time += 5 * milliseconds.minute - 1;
    expect(await fromPage('auth/begin-passkey-sign-in', { challenge })).toMatchObject({ status: 200 });
    time += 1;
    expect(await fromPage('auth/begin-passkey-sign-in', { challenge })).toMatchObject(over);
  });

  it('is refused as the second factor of another user', async () => {
    const username = await newPerson(5);
    await addTo(5);
    await newPerson(6);
    const { device } = await addTo(6);
    const { body } = await fromPage('auth/create-session', { username, password });
    const { id, options } = await begin({ challenge: (body as Fields)['challenge'] });
    expect(await finish(id, device.authenticate(options))).toMatchObject(wrong);
  });

  it('comes with single-use recovery codes if it is the first second factor', async () => {
    const username = await newPerson(7);
    const { codes } = await addTo(7);
    expect(new Set(codes).size).toBe(10);
    expect((await addTo(7)).codes).toBeNull();
    for (const status of [200, 401]) {
      const { body } = await fromPage('auth/create-session', { username, password });
      const { challenge } = body as { challenge: string };
      const answer = await fromPage('auth/answer-factor', { challenge, code: codes?.[0] });
      expect(answer.status).toBe(status);
    }
  });

  it('blocks gettoken for its user, as gettoken cannot ask for a passkey', async () => {
    const username = await newPerson(8);
    await addTo(8);
    expect(await ask('auth/get-token', { as: 'nobody', body: { username, password } })).toMatchObject({
      status: 401,
      body: { code: 'second_factor_needed', details: expect.stringContaining('API key') },
    });
  });

  it('can be listed, renamed and removed only by its user', async () => {
    await newPerson(9);
    await newPerson(10);
    const { device } = await addTo(9);
    const named = { id: device.id, name: 'Work laptop' };
    expect((await call('auth/rename-passkey', 10, named)).status).toBe(404);
    expect((await call('auth/remove-passkey', 10, { id: device.id })).status).toBe(404);
    expect((await call('auth/rename-passkey', 9, named)).status).toBe(200);
    expect((await call('auth/list-passkeys', 9)).body).toMatchObject({
      list: [{ name: 'Work laptop', host: 'localhost' }],
    });
    expect((await call('auth/remove-passkey', 9, { id: device.id })).status).toBe(200);
    const { id, options } = await begin();
    expect(await finish(id, device.authenticate(options))).toMatchObject(wrong);
    expect(await findUser('merchant-9')).toMatchObject({ passkeys: [], recovery: [] });
  });

  it('is removed when an operator resets the second factor', async () => {
    const username = await newPerson(11);
    const { device } = await addTo(11);
    await resetFactor(username);
    const { id, options } = await begin();
    expect(await finish(id, device.authenticate(options))).toMatchObject(wrong);
    expect(await fromPage('auth/create-session', { username, password })).toMatchObject({ status: 200 });
  });

  it('is not changed while others keep changing its user', async () => {
    const username = await newPerson(12);
    const { device } = await addTo(12);
    const again = async () => {
      beforeTransactions();
      const user = await findUser(username);
      if (user) await changeUser(user, { ...user, name: `${user.name}x` });
      beforeTransactions(again);
    };
    beforeTransactions(again);
    const busy = { status: 409, body: { code: 'changed_meanwhile' } };
    expect(await call('auth/rename-passkey', 12, { id: device.id, name: 'x' })).toMatchObject(busy);
    expect(await call('auth/remove-passkey', 12, { id: device.id })).toMatchObject(busy);
  });

  it('is limited to ten for each user', async () => {
    await newPerson(13);
    for (let count = 0; count < 10; count += 1) await addTo(13);
    expect(await call('auth/begin-passkey-setup', 13)).toMatchObject({ status: 400 });
  });
});

it('a passkey is bound to the host of the service, and never to an IP address', () => {
  expect(passkeyHostOf('https://pay.example.com/dev')).toEqual({
    rpId: 'pay.example.com',
    origin: 'https://pay.example.com',
  });
  expect(passkeyHostOf('http://localhost:3000')).toEqual({ rpId: 'localhost', origin: 'http://localhost:3000' });
  expect(passkeyHostOf('http://127.0.0.1:3000')).toBeUndefined();
  expect(passkeyHostOf('http://[::1]:3000')).toBeUndefined();
});

it.each([
  'begin-passkey-sign-in',
  'finish-passkey-sign-in',
  'begin-passkey-setup',
  'finish-passkey-setup',
  'list-passkeys',
  'rename-passkey',
  'remove-passkey',
])('auth/%s behaves as declared', (name) => expectDeclared(`auth/${name}`));
