import { Secret, TOTP } from 'otpauth';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { changePassword, createUser, findUser, resetFactor } from '#accounts/auth/users/user-store.ts';
import { milliseconds, setClock } from '#core/kernel/clock.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem, type Item, putItem } from '#core/platform/table/table.ts';
import { cookieIn, fromPage } from '#test/support/browser-session.ts';
import { ask, expectDeclared, useOperations } from '#test/support/operations.ts';

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
type Needed = { challenge: string; setup?: { secret: string; uri: string } };

const totpCode = (secret: string, at = time) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: at });
const signIn = (username: string, given = password) => fromPage('auth/create-session', { username, password: given });
const needed = async (username: string): Promise<Needed> => {
  const { status, body } = await signIn(username);
  expect([status, (body as { code: string }).code]).toEqual([401, 'second_factor_needed']);
  return body as Needed;
};
const token = (username: string) => ask('auth/get-token', { as: 'nobody', body: { username, password } });
const answer = (challenge: string, code: string) => fromPage('auth/answer-factor', { challenge, code });

/** A user who has set up an app at their first sign-in. */
const withApp = async (username: string) => {
  await createUser({ username, password, scope: 'admin' });
  process.env['SECOND_FACTOR'] = 'required';
  const { challenge, setup } = await needed(username);
  const secret = setup?.secret ?? '';
  const { body, ...rest } = await answer(challenge, totpCode(secret));
  time += 30_000;
  return { secret, first: { ...rest, body: body as { recovery_codes: string[] } } };
};
/** Sets up an app at the sign-in of a user. */
const finish = async (username: string) => {
  const { challenge, setup } = await needed(username);
  expect(await answer(challenge, totpCode(setup?.secret ?? ''))).toMatchObject({ status: 200 });
};
/** A user as an earlier release stored them, without a mark for programs. */
const createUnmarked = async (username: string) => {
  await createUser({ username, password, scope: 'admin' });
  const item = await getItem(keys.user(username));
  const { isProgram: _, ...user } = Object(item?.['user']) as Record<string, unknown>;
  await putItem({ ...item, schemaVersion: 2, user } as Item);
};
const wrong = { status: 401, body: { msg: 'Wrong code', code: 'second_factor_wrong' } };

describe('a second factor', () => {
  it('is set up at the first sign-in where it is required, with ten recovery codes, and asked for from then on', async () => {
    const { secret, first } = await withApp('new');
    expect(first.status).toBe(200);
    expect(cookieIn(first)).not.toBe('');
    expect(new Set(first.body.recovery_codes).size).toBe(10);
    const again = await needed('new');
    expect(again.setup).toBeUndefined();
    expect(await answer(again.challenge, totpCode(secret))).toMatchObject({
      status: 200,
      body: { recovery_codes: null, user: { username: 'new' } },
    });
  });

  it('is not asked of who has none where it is optional', async () => {
    await createUser({ username: 'without', password, scope: 'admin' });
    process.env['SECOND_FACTOR'] = 'optional';
    expect(await signIn('without')).toMatchObject({ status: 200 });
  });

  it('is required at gettoken from people, but not from programs, if the setting requires it', async () => {
    process.env['SECOND_FACTOR'] = 'required';
    const made = { password, scope: 'admin' } as const;
    await createUser({ username: 'a-person', ...made });
    await createUser({ username: 'a-program', ...made, isProgram: true });
    expect(await token('a-person')).toMatchObject({
      status: 401,
      body: { code: 'second_factor_needed', details: expect.stringContaining('API key') },
    });
    expect(await token('a-program')).toMatchObject({ status: 200 });
    process.env['SECOND_FACTOR'] = 'optional';
    expect(await token('a-person')).toMatchObject({ status: 200 });
  });

  it('is not required at gettoken from users stored before programs were marked', async () => {
    process.env['SECOND_FACTOR'] = 'required';
    await createUnmarked('before');
    expect(await token('before')).toMatchObject({ status: 200 });
  });

  it('is required at gettoken from a user stored before programs were marked who once had one', async () => {
    process.env['SECOND_FACTOR'] = 'required';
    await createUnmarked('was-unmarked');
    await finish('was-unmarked');
    await resetFactor('was-unmarked');
    expect(await token('was-unmarked')).toMatchObject({ status: 401, body: { code: 'second_factor_needed' } });
  });

  it('is a URI that apps read, and kept sealed', async () => {
    await createUser({ username: 'kept', password, scope: 'admin' });
    process.env['SECOND_FACTOR'] = 'required';
    const { challenge, setup } = await needed('kept');
    const secret = setup?.secret ?? '';
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(setup?.uri).toBe(
      `otpauth://totp/Forewarn:kept?issuer=Forewarn&secret=${secret}&algorithm=SHA1&digits=6&period=30`,
    );
    const { body } = await answer(challenge, totpCode(secret));
    const [code = ''] = (body as { recovery_codes: string[] }).recovery_codes;
    const rows = JSON.stringify([await getItem(keys.user('kept')), await getItem(keys.challenge(challenge))]);
    expect([rows.includes(secret), rows.includes(code), rows.includes(code.replace('-', ''))]).toEqual([
      false,
      false,
      false,
    ]);
  });

  it('takes the codes of the step before and after, and none of others', async () => {
    const { secret } = await withApp('steps');
    for (const [steps, status] of [
      [-2, 401],
      [2, 401],
      [1, 200],
    ] as const) {
      const { challenge } = await needed('steps');
      expect(await answer(challenge, totpCode(secret, time + steps * 30_000)), `${steps}`).toMatchObject({ status });
    }
  });

  it('takes a code once, and none that is older than the last', async () => {
    const { secret } = await withApp('once');
    const code = totpCode(secret);
    expect(await answer((await needed('once')).challenge, code)).toMatchObject({ status: 200 });
    expect(await answer((await needed('once')).challenge, code)).toMatchObject(wrong);
    expect(await answer((await needed('once')).challenge, totpCode(secret, time - 30_000))).toMatchObject(wrong);
  });

  it('takes one code once, however many send it at the same time', async () => {
    const { secret } = await withApp('raced');
    const challenges = [await needed('raced'), await needed('raced'), await needed('raced')];
    const answers = await Promise.all(challenges.map(({ challenge }) => answer(challenge, totpCode(secret))));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it('takes each recovery code once, however it is written', async () => {
    const { first } = await withApp('recovers');
    const [one = '', two = ''] = first.body.recovery_codes;
    expect(await answer((await needed('recovers')).challenge, one)).toMatchObject({ status: 200 });
    expect(await answer((await needed('recovers')).challenge, one)).toMatchObject(wrong);
    const spelled = two.toUpperCase().replace('-', ' ');
    expect(await answer((await needed('recovers')).challenge, spelled)).toMatchObject({ status: 200 });
    expect((await findUser('recovers'))?.factor?.recovery).toHaveLength(8);
  });

  it('locks after five wrong codes, as passwords do, and the right password does not forget them', async () => {
    const { secret } = await withApp('guessed');
    for (let n = 0; n < 5; n += 1) {
      expect(await answer((await needed('guessed')).challenge, '000000')).toMatchObject(wrong);
    }
    expect(await signIn('guessed')).toMatchObject({ status: 429 });
    time += 15 * milliseconds.minute;
    expect(await answer((await needed('guessed')).challenge, totpCode(secret))).toMatchObject({ status: 200 });
  });

  it('has challenges that are good once and for five minutes', async () => {
    const { secret } = await withApp('late');
    const over = { status: 401, body: { code: 'session_over' } };
    const { challenge } = await needed('late');
    time += 5 * milliseconds.minute;
    expect(await answer(challenge, totpCode(secret))).toMatchObject(over);
    const good = (await needed('late')).challenge;
    expect(await answer(good, totpCode(secret))).toMatchObject({ status: 200 });
    time += 60_000;
    expect(await answer(good, totpCode(secret))).toMatchObject(over);
    expect(await answer('no-such-challenge', '000000')).toMatchObject(over);
  });

  it('is wanted by gettoken too, from who has one', async () => {
    const { secret } = await withApp('program');
    const token = (code?: string) =>
      ask('auth/get-token', { as: 'nobody', body: { username: 'program', password, ...(code && { code }) } });
    expect(await token()).toMatchObject({ status: 401, body: { msg: 'A code from your second factor is needed' } });
    expect(await token('123456')).toMatchObject({ status: 401, body: { msg: 'Wrong code' } });
    expect(await token(totpCode(secret))).toMatchObject({ status: 200 });
    expect(await token(totpCode(secret))).toMatchObject({ status: 401 });
  });

  it('is set up from within as well, once, by who gave the password just now', async () => {
    await createUser({ username: 'merchant-7', password, scope: 'merchant', mid: 7 });
    const as = { mid: 7, freshUntil: new Date(time + 1).toISOString() };
    const { status, body } = await ask('auth/set-up-factor', { as, body: {} });
    expect(status).toBe(200);
    const { challenge, secret } = body as { challenge: string; secret: string };
    expect(await answer(challenge, totpCode(secret))).toMatchObject({ status: 200, body: { user: { mid: 7 } } });
    expect(await ask('auth/set-up-factor', { as, body: {} })).toMatchObject({ status: 409 });
    time += 1;
    expect(await ask('auth/set-up-factor', { as, body: {} })).toMatchObject({
      status: 403,
      body: { code: 'fresh_sign_in_needed' },
    });
  });

  it('is not set up by who began before another was, or before the password was changed', async () => {
    const over = { status: 401, body: { code: 'session_over' } };
    process.env['SECOND_FACTOR'] = 'required';
    for (const [username, change] of [
      ['overtaken', async () => void (await finish('overtaken'))],
      ['changed', async () => void (await changePassword('changed', 'another password'))],
    ] as const) {
      await createUser({ username, password, scope: 'admin' });
      const { challenge, setup } = await needed(username);
      time += 1000;
      await change();
      time += 1000;
      const before = (await findUser(username))?.factor;
      expect(await answer(challenge, totpCode(setup?.secret ?? ''))).toMatchObject(over);
      expect((await findUser(username))?.factor).toEqual(before);
    }
  });

  it('is gone once it is reset, with the sessions of before', async () => {
    await withApp('lost');
    await resetFactor('lost');
    expect((await needed('lost')).setup?.secret).toMatch(/^[A-Z2-7]{32}$/);
  });

  it('is not requested after a wrong password', async () => {
    await withApp('unknown-password');
    expect(await signIn('unknown-password', 'wrong')).toMatchObject({
      status: 401,
      body: { msg: 'Wrong username or password' },
    });
  });
});

it('does what its operations declare', async () => {
  for (const operation of ['auth/create-session', 'auth/answer-factor']) {
    await ask(operation, { as: 'nobody', body: { username: 'x', password: 'x', challenge: 'x', code: 'x' } });
  }
  const locked = (await needed('once')).challenge;
  for (let n = 0; n < 5; n += 1) await answer(locked, 'x');
  expect(await answer(locked, 'x')).toMatchObject({ status: 429 });
  expect(await signIn('once')).toMatchObject({ status: 429 });
  expect(await ask('auth/get-token', { as: 'nobody', body: { username: 'once', password } })).toMatchObject({
    status: 429,
  });
  const before = cookieIn(await signIn('without'));
  expect(await fromPage('auth/create-session', { username: 'without', password }, before)).toMatchObject({
    status: 200,
  });
  expect(await ask('auth/get-token', { as: 'nobody', body: { username: 'without', password: 'x' } })).toMatchObject({
    status: 401,
  });
  for (const name of ['auth/create-session', 'auth/answer-factor', 'auth/set-up-factor', 'auth/get-token'])
    expectDeclared(name);
});
