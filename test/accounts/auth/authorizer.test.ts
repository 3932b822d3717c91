import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { handler } from '#accounts/auth/jobs/authorizer/handler.ts';
import { issueToken } from '#accounts/auth/tokens/token.ts';
import { issueLongLivedToken, revokeToken } from '#accounts/auth/tokens/token-store.ts';
import { changePassword, createUser, setDisabled } from '#accounts/auth/users/user-store.ts';
import { milliseconds, setClock } from '#core/kernel/clock.ts';
import { ask, useOperations } from '#test/support/operations.ts';

useOperations();

const start = Date.UTC(2026, 4, 2, 10);
beforeEach(() => setClock(() => start));
afterEach(() => setClock());

const password = 'correct horse battery';
const stage = 'arn:aws:execute-api:eu-west-1:123456789012:abcdef1234/dev';
const authorize = (authorizationToken: string) =>
  handler({ type: 'TOKEN', authorizationToken, methodArn: `${stage}/POST/api/v3/site/list` });
/** Returns the gateway's response for a token that is refused. */
const readRefusal = async (authorizationToken: string) => {
  const { policyDocument, context } = await authorize(authorizationToken);
  expect(policyDocument.Statement).toEqual([{ Action: 'execute-api:Invoke', Effect: 'Deny', Resource: `${stage}/*` }]);
  return context;
};
const getToken = async (username: string, given = password) => {
  const { body } = await ask('auth/get-token', { as: 'nobody', body: { username, password: given } });
  return `Bearer ${(body as { access_token: string }).access_token}`;
};

describe('the authorizer', () => {
  it('tells the gateway who calls, with a policy for every route of the stage', async () => {
    await createUser({ username: 'shop', password, scope: 'merchant', mid: 7 });
    expect(await authorize(await getToken('shop'))).toEqual({
      principalId: 'shop',
      policyDocument: {
        Version: '2012-10-17',
        Statement: [{ Action: 'execute-api:Invoke', Effect: 'Allow', Resource: `${stage}/*` }],
      },
      context: {
        ...{ scope: 'merchant', subject: 'shop', mid: '7', role: 'manager' },
        ...{ freshUntil: new Date(start + 15 * milliseconds.minute).toISOString(), program: 'true' },
        signedInAt: new Date(start).toISOString(),
      },
    });
  });

  it('names no merchant for an administrator', async () => {
    await createUser({ username: 'root', password, scope: 'admin' });
    expect(await authorize(await getToken('root'))).toMatchObject({ context: { scope: 'admin', subject: 'root' } });
  });

  it.each(['', 'Bearer', 'Bearer x', 'Basic cm9vdDpyb290', 'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJyb290In0.', 'a.b.c'])(
    'answers %j with the error that is the gateway’s 401',
    async (header) => expect(authorize(header)).rejects.toThrow(/^Unauthorized$/),
  );

  it('refuses a token that is over', async () => {
    await createUser({ username: 'over', password, scope: 'admin' });
    const token = await getToken('over');
    setClock(() => start + milliseconds.hour);
    expect(await readRefusal(token)).toEqual({
      code: 'token_expired',
      msg: 'The token has expired',
      details: 'It expired at 2026-05-02T11:00:00.000Z; the time here is 2026-05-02T11:00:00.000Z.',
    });
  });

  it('refuses a token that was not issued here, without further details', async () => {
    await createUser({ username: 'cut', password, scope: 'admin' });
    const token = await getToken('cut');
    expect(await readRefusal(`${token.slice(0, -6)}AAAAAA`)).toMatchObject({
      code: 'unauthenticated',
      msg: 'Unauthorized',
    });
  });

  it('has a key that it does not know asked about again: the gateway keeps policies, but not this', async () => {
    const ring = { current: 'k9', keys: { k9: 'a key that is new, and not here yet' } };
    const { token } = await issueToken(
      ring,
      { username: 'root', scope: 'admin', mid: null, role: null },
      new Date(start),
    );
    await expect(authorize(`Bearer ${token}`)).rejects.toThrow(/^Unauthorized$/);
  });

  it('refuses what a user had before another password within the same second, and takes what they get after', async () => {
    await createUser({ username: 'hasty', password, scope: 'admin' });
    setClock(() => start + 100);
    const before = await getToken('hasty');
    setClock(() => start + 200);
    await changePassword('hasty', 'another good password');
    expect(await readRefusal(before)).toMatchObject({
      code: 'token_revoked',
      details: expect.stringContaining('the password was changed'),
    });
    setClock(() => start + 300);
    expect(await authorize(await getToken('hasty', 'another good password'))).toMatchObject({
      context: { subject: 'hasty' },
    });
  });

  it('permanently refuses tokens from before a user was disabled, and accepts later ones', async () => {
    await createUser({ username: 'gone', password, scope: 'admin' });
    const before = await getToken('gone');
    setClock(() => start + milliseconds.minute);
    await setDisabled('gone', true);
    expect(await readRefusal(before)).toMatchObject({
      code: 'token_revoked',
      details: expect.stringContaining('the password was changed'),
    });
    await setDisabled('gone', false);
    expect(await readRefusal(before)).toMatchObject({
      code: 'token_revoked',
      details: expect.stringContaining('the password was changed'),
    });
    expect(await authorize(await getToken('gone'))).toMatchObject({ principalId: 'gone' });
  });

  it('refuses what was issued before the password changed', async () => {
    await createUser({ username: 'changed', password, scope: 'admin' });
    const before = await getToken('changed');
    setClock(() => start + milliseconds.minute);
    await changePassword('changed', 'another password');
    expect(await readRefusal(before)).toMatchObject({
      code: 'token_revoked',
      details: expect.stringContaining('the password was changed'),
    });
    expect(await authorize(await getToken('changed', 'another password'))).toMatchObject({ principalId: 'changed' });
  });
});

describe('a long-lived token', () => {
  it('is valid for its days unless it is revoked', async () => {
    await createUser({ username: 'robot', password, scope: 'merchant', mid: 2 });
    const first = await issueLongLivedToken('robot', 365);
    const second = await issueLongLivedToken('robot', 365);
    setClock(() => start + 364 * milliseconds.day);
    await revokeToken(first.row.jti);
    expect(await readRefusal(`Bearer ${first.token}`)).toMatchObject({
      code: 'token_revoked',
      details: 'It was revoked at 2027-05-01T10:00:00.000Z.',
    });
    expect(await authorize(`Bearer ${second.token}`)).toMatchObject({ context: { mid: '2' } });
    setClock(() => start + 365 * milliseconds.day);
    expect(await readRefusal(`Bearer ${second.token}`)).toMatchObject({ code: 'token_expired' });
  });

  it('of an administrator is valid for 90 days at most', async () => {
    await createUser({ username: 'chief', password, scope: 'admin' });
    await expect(issueLongLivedToken('chief', 91)).rejects.toThrow(/90 days/);
    expect((await issueLongLivedToken('chief', 90)).row.username).toBe('chief');
  });

  it('is not issued to an unknown or disabled user, or revoked for an unknown one', async () => {
    await createUser({ username: 'idle', password, scope: 'admin' });
    await setDisabled('idle', true);
    await expect(issueLongLivedToken('idle', 1)).rejects.toThrow('is disabled');
    await expect(issueLongLivedToken('no-one', 1)).rejects.toThrow('There is no user no-one.');
    await expect(revokeToken('no-such-token')).rejects.toThrow('There is no long-lived token no-such-token.');
  });
});

describe('a new user', () => {
  it('is made once', async () => {
    const made = await Promise.allSettled(
      [1, 2].map(() => createUser({ username: 'twice', password, scope: 'admin' })),
    );
    expect(made.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  it.each([
    [{ username: 'bad name', password, scope: 'admin' as const }, 'A username has'],
    [{ username: '', password, scope: 'admin' as const }, 'A username has'],
    [{ username: 'short', password: 'short', scope: 'admin' as const }, 'A password has 12 to 1024 characters.'],
    [{ username: 'no-mid', password, scope: 'merchant' as const }, 'needs a mid'],
    [{ username: 'mid', password, scope: 'admin' as const, mid: 1 }, 'needs a mid'],
  ])('is refused when it is %j', async (user, words) => {
    await expect(createUser(user)).rejects.toThrow(words);
  });
});
