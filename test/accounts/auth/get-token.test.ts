import { afterEach, describe, expect, it, vi } from 'vitest';
import { changePassword, createUser, findUser, setDisabled } from '#accounts/auth/users/user-store.ts';
import { milliseconds, setClock } from '#core/kernel/clock.ts';
import { sha256 } from '#core/kernel/crypto.ts';
import { rowsWith } from '#test/payments/orders/shop.ts';
import { ask, useOperations } from '#test/support/operations.ts';

useOperations();
afterEach(() => setClock());

const password = 'correct horse battery';
const signIn = (username: string, given = password) =>
  ask('auth/get-token', { as: 'nobody', body: { username, password: given } });
const statuses = (answers: readonly { status: number }[]) => answers.map(({ status }) => status).sort();
const times = <T>(n: number, make: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: n }, (_, index) => make(index)));
const start = Date.UTC(2026, 4, 2, 10);

describe('POST /api/v2/index.php/gettoken', () => {
  it('gives a token for the right password', async () => {
    await createUser({ username: 'right', password, scope: 'admin' });
    expect(await signIn('right')).toMatchObject({
      status: 200,
      body: {
        access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
        token_type: 'Bearer',
        expires_in: 3600,
      },
    });
  });

  it('knows a user however their name is spelled', async () => {
    await createUser({ username: 'Spelled', password, scope: 'admin' });
    expect(await signIn(' sPELLED ')).toMatchObject({ status: 200 });
  });

  it('refuses a wrong password and an unknown user in the same words', async () => {
    await createUser({ username: 'known', password, scope: 'admin' });
    const wrong = await signIn('known', 'not the password');
    expect(wrong).toMatchObject({ status: 401, body: { msg: 'Wrong username or password', details: '' } });
    expect(await signIn('unknown')).toEqual(wrong);
  });

  it('refuses a disabled user like an unknown one', async () => {
    await createUser({ username: 'disabled', password, scope: 'admin' });
    await setDisabled('disabled', true);
    expect(await signIn('disabled')).toEqual(await signIn('nobody'));
    await setDisabled('disabled', false);
    expect(await signIn('disabled')).toMatchObject({ status: 200 });
  });

  it('takes a changed password and no longer the one before', async () => {
    await createUser({ username: 'changed', password, scope: 'merchant', mid: 3 });
    await changePassword('changed', 'another password');
    expect(await signIn('changed')).toMatchObject({ status: 401 });
    expect(await signIn('changed', 'another password')).toMatchObject({ status: 200 });
    expect(await findUser('changed')).toMatchObject({ scope: 'merchant', mid: 3 });
  });

  it.each([[{}], [{ username: 'a' }], [{ username: 'a', password: '' }], [{ username: 5, password }]])(
    'refuses %j',
    async (body) => expect(await ask('auth/get-token', { as: 'nobody', body })).toMatchObject({ status: 400 }),
  );
});

describe('failures to sign in', () => {
  it('lock the username after five, with the right password too, until the 15 minutes are over', async () => {
    setClock(() => start);
    await createUser({ username: 'locked', password, scope: 'admin' });
    for (let n = 0; n < 5; n += 1) expect(await signIn('locked', 'wrong')).toMatchObject({ status: 401 });
    const refused = await signIn('locked');
    expect(refused).toMatchObject({ status: 429, headers: { 'retry-after': '900' } });
    setClock(() => start + 14.5 * milliseconds.minute);
    expect(await signIn('locked')).toMatchObject({ status: 429, headers: { 'retry-after': '30' } });
    setClock(() => start + 15 * milliseconds.minute);
    expect(await signIn('locked')).toMatchObject({ status: 200 });
  });

  it('are reported to the operators once for each locked username', async () => {
    await createUser({ username: 'told', password, scope: 'admin' });
    const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    await times(9, (n) => signIn('told', `guess ${n}`));
    await signIn('told');
    const lines = written.mock.calls.map(([line]) => String(line)).join('');
    written.mockRestore();
    expect(lines.match(/"SignInLockouts":1\b/g)).toHaveLength(1);
  });

  it('lock unknown usernames too, and store only a digest of them', async () => {
    expect(statuses(await times(5, () => signIn('nobody-at-all')))).toEqual([401, 401, 401, 401, 401]);
    expect(await signIn('nobody-at-all')).toMatchObject({ status: 429 });
    await signIn('My password is in the wrong field');
    expect(await rowsWith(sha256('nobody-at-all'))).toHaveLength(1);
    expect(await rowsWith('nobody-at-all', 'wrong field')).toEqual([]);
  });

  it('are counted when they come side by side', async () => {
    await createUser({ username: 'guessed', password, scope: 'admin' });
    const answers = await times(12, (n) => signIn('guessed', `guess ${n}`));
    expect(statuses(answers)).toEqual([...Array(5).fill(401), ...Array(7).fill(429)]);
  });

  it('are forgotten by a success', async () => {
    await createUser({ username: 'forgiven', password, scope: 'admin' });
    for (let round = 0; round < 2; round += 1) {
      for (let n = 0; n < 4; n += 1) expect(await signIn('forgiven', 'wrong')).toMatchObject({ status: 401 });
      expect(await signIn('forgiven')).toMatchObject({ status: 200 });
    }
  });

  it('are not counted when many correct passwords arrive at once', async () => {
    await createUser({ username: 'busy', password, scope: 'admin' });
    expect(statuses(await times(8, () => signIn('busy')))).toEqual(Array(8).fill(200));
  });
});
