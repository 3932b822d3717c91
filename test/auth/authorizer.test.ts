import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { handler } from '../../functions/auth/authorizer/handler.ts';
import { getToken } from '../../functions/auth/get-token/operation.ts';
import { issueLongLivedToken, revokeToken } from '../../functions/auth/token-store.ts';
import { changePassword, createUser, setDisabled } from '../../functions/auth/user-store.ts';
import { milliseconds, setClock } from '../../functions/core/clock.ts';
import { ask, useOperations } from '../support/operations.ts';
import { useTable } from '../support/table.ts';

useTable();
useOperations();

const start = Date.UTC(2026, 4, 2, 10);
beforeEach(() => setClock(() => start));
afterEach(() => setClock());

const password = 'correct horse battery';
const stage = 'arn:aws:execute-api:eu-west-1:123456789012:abcdef1234/dev';
const authorize = (authorizationToken: string) =>
  handler({ type: 'TOKEN', authorizationToken, methodArn: `${stage}/POST/api/v3/site/list` });
const tokenOf = async (username: string, given = password) => {
  const { body } = await ask(getToken, { as: 'nobody', body: { username, password: given } });
  return `Bearer ${(body as { access_token: string }).access_token}`;
};

describe('the authorizer', () => {
  it('tells the gateway who calls, with a policy for every route of the stage', async () => {
    await createUser({ username: 'shop', password, scope: 'merchant', mid: 7 });
    expect(await authorize(await tokenOf('shop'))).toEqual({
      principalId: 'shop',
      policyDocument: {
        Version: '2012-10-17',
        Statement: [{ Action: 'execute-api:Invoke', Effect: 'Allow', Resource: `${stage}/*` }],
      },
      context: { scope: 'merchant', subject: 'shop', mid: '7', role: 'manager' },
    });
  });

  it('names no merchant for an administrator', async () => {
    await createUser({ username: 'root', password, scope: 'admin' });
    expect(await authorize(await tokenOf('root'))).toMatchObject({ context: { scope: 'admin', subject: 'root' } });
  });

  it.each(['', 'Bearer', 'Bearer x', 'Basic cm9vdDpyb290', 'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJyb290In0.', 'a.b.c'])(
    'answers %j with the error that is the gateway’s 401',
    async (header) => expect(authorize(header)).rejects.toThrow(/^Unauthorized$/),
  );

  it('refuses a token that is over', async () => {
    await createUser({ username: 'over', password, scope: 'admin' });
    const token = await tokenOf('over');
    setClock(() => start + milliseconds.hour);
    await expect(authorize(token)).rejects.toThrow(/^Unauthorized$/);
  });

  it('refuses what a user had before another password within the same second, and takes what they get after', async () => {
    await createUser({ username: 'hasty', password, scope: 'admin' });
    setClock(() => start + 100);
    const before = await tokenOf('hasty');
    setClock(() => start + 200);
    await changePassword('hasty', 'another good password');
    await expect(authorize(before)).rejects.toThrow(/^Unauthorized$/);
    setClock(() => start + 300);
    expect(await authorize(await tokenOf('hasty', 'another good password'))).toMatchObject({
      context: { subject: 'hasty' },
    });
  });

  it('refuses what a user had before being disabled, for good, and takes what they get after', async () => {
    await createUser({ username: 'gone', password, scope: 'admin' });
    const before = await tokenOf('gone');
    setClock(() => start + milliseconds.minute);
    await setDisabled('gone', true);
    await expect(authorize(before)).rejects.toThrow(/^Unauthorized$/);
    await setDisabled('gone', false);
    await expect(authorize(before)).rejects.toThrow(/^Unauthorized$/);
    expect(await authorize(await tokenOf('gone'))).toMatchObject({ principalId: 'gone' });
  });

  it('refuses what was issued before the password changed', async () => {
    await createUser({ username: 'changed', password, scope: 'admin' });
    const before = await tokenOf('changed');
    setClock(() => start + milliseconds.minute);
    await changePassword('changed', 'another password');
    await expect(authorize(before)).rejects.toThrow(/^Unauthorized$/);
    expect(await authorize(await tokenOf('changed', 'another password'))).toMatchObject({ principalId: 'changed' });
  });
});

describe('a long-lived token', () => {
  it('is valid for its days unless it is revoked', async () => {
    await createUser({ username: 'robot', password, scope: 'merchant', mid: 2 });
    const first = await issueLongLivedToken('robot', 365);
    const second = await issueLongLivedToken('robot', 365);
    setClock(() => start + 364 * milliseconds.day);
    await revokeToken(first.row.jti);
    await expect(authorize(`Bearer ${first.token}`)).rejects.toThrow(/^Unauthorized$/);
    expect(await authorize(`Bearer ${second.token}`)).toMatchObject({ context: { mid: '2' } });
    setClock(() => start + 365 * milliseconds.day);
    await expect(authorize(`Bearer ${second.token}`)).rejects.toThrow(/^Unauthorized$/);
  });

  it('of an administrator is valid for 90 days at most', async () => {
    await createUser({ username: 'chief', password, scope: 'admin' });
    await expect(issueLongLivedToken('chief', 91)).rejects.toThrow(/90 days/);
    expect((await issueLongLivedToken('chief', 90)).row.username).toBe('chief');
  });

  it('is not issued to nobody or to a disabled user, and one there is not cannot be revoked', async () => {
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
