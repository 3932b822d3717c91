import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { handler } from '#accounts/auth/jobs/authorizer/handler.ts';
import { verifyPassword } from '#accounts/auth/users/password.ts';
import { changeUser, findUser } from '#accounts/auth/users/user-store.ts';
import { user as userProgram } from '#bin/commands/user.ts';
import { useCommand } from '#test/support/command.ts';
import { ask, useOperations } from '#test/support/operations.ts';
import { useEmulator } from '#test/support/table.ts';

useOperations(useEmulator);

/** As useOperations answers: what the command signs, the authorizer of this process must be able to read. */
const secretsManager = createServer((_, response) =>
  response.end(JSON.stringify({ SecretString: JSON.stringify({ current: 'k1', k1: 'the jwt secret of this test' }) })),
);

beforeAll(() => new Promise<void>((resolve) => secretsManager.listen(0, '127.0.0.1', resolve)));
afterAll(() => void secretsManager.close());

const runUser = useCommand('bin/user.ts', () => ({
  JWT_SECRET_ID: 'jwt',
  AWS_ENDPOINT_URL_SECRETS_MANAGER: `http://127.0.0.1:${(secretsManager.address() as AddressInfo).port}`,
}));
/** Most cases need no program of their own; the first of each kind is one. */
const user = runUser.callHere(userProgram);
const shown = (name: string, out: string) => new RegExp(`^ +${name} +(\\S+)`, 'm').exec(out)?.[1] ?? '';

describe('npm run user', () => {
  it('makes an administrator, whose password it shows once', async () => {
    const { out, err, status } = await runUser(['create', 'Ada', '--admin']);
    expect({ err, status }).toEqual({ err: '', status: 0 });
    expect(out).toContain('User created');
    expect(shown('username', out)).toBe('ada');
    const made = await findUser('ada');
    expect(made).toMatchObject({ scope: 'admin', mid: null, disabled: false });
    expect(await verifyPassword(shown('password', out), made?.passwordHash)).toBe(true);
    expect((await runUser(['show', 'ada'])).out).not.toContain('password');
  });

  it('makes the user of a merchant there is, with a password from standard input', async () => {
    const { mid } = (await ask('merchants/create-merchant', { body: { name: 'M' } })).body as { mid: number };
    const made = await runUser(['create', 'shop', '--mid', String(mid), '--password-stdin'], {
      input: 'correct horse battery\n',
    });
    expect(made).toMatchObject({ status: 0, out: expect.not.stringContaining('correct') });
    const shop = await findUser('shop');
    expect(shop).toMatchObject({ scope: 'merchant', mid });
    expect(await verifyPassword('correct horse battery', shop?.passwordHash)).toBe(true);
    expect(await runUser(['create', 'shop2', '--mid', '999999'])).toMatchObject({
      status: 1,
      err: 'There is no merchant 999999.\n',
    });
  });

  it('issues a token that the authorizer takes until it is revoked', async () => {
    await user(['create', 'robot', '--admin']);
    const { out } = await runUser(['token', 'robot', '--days', '30']);
    const authorize = () =>
      handler({
        type: 'TOKEN',
        authorizationToken: `Bearer ${shown('token', out)}`,
        methodArn: 'arn:aws:execute-api:eu-west-1:1:a/dev/POST/x',
      });
    expect(await authorize()).toMatchObject({ principalId: 'robot' });
    expect(await runUser(['revoke', shown('jti', out)])).toMatchObject({ status: 0 });
    expect(await authorize()).toMatchObject({ context: { code: 'token_revoked' } });
  });

  it('disables, enables and gives another password', async () => {
    await user(['create', 'bob', '--admin']);
    expect((await user(['disable', 'bob'])).out).toMatch(/state +disabled/);
    expect((await user(['enable', 'bob'])).out).toMatch(/state +enabled/);
    const { out } = await user(['password', 'bob']);
    expect(await verifyPassword(shown('password', out), (await findUser('bob'))?.passwordHash)).toBe(true);
  });

  it('gives a role, which ends sessions, to users of merchants alone', async () => {
    const { mid } = (await ask('merchants/create-merchant', { body: { name: 'M' } })).body as { mid: number };
    await user(['create', 'anna', '--mid', String(mid), '--role', 'analyst']);
    const before = await findUser('anna');
    expect(before).toMatchObject({ role: 'analyst' });
    expect((await user(['role', 'anna', '--role', 'developer'])).out).toMatch(/role +developer/);
    const after = await findUser('anna');
    expect(after).toMatchObject({ role: 'developer', tokensValidFrom: before?.tokensValidFrom });
    expect([before?.sessionsEndedAt, after?.sessionsEndedAt]).toEqual([null, expect.any(String)]);
    await user(['create', 'root', '--admin']);
    expect(await user(['role', 'root', '--role', 'analyst'])).toEqual({
      ...{ out: '', err: 'An administrator has no role.\n', status: 1 },
    });
  });

  it('takes a second factor away, and ends the sessions that were begun with it', async () => {
    await user(['create', 'fay', '--admin']);
    const made = await findUser('fay');
    if (!made) throw new Error('fay was not made');
    const factor = { sealed: 'sealed', createdAt: '2026-05-02T10:00:00.000Z', lastStep: 0, recovery: [] };
    await changeUser(made, { ...made, factor });
    expect((await user(['show', 'fay'])).out).toMatch(/second factor +since 2026-05-02/);
    expect((await user(['reset-factor', 'fay'])).out).toMatch(/second factor +none/);
    const after = await findUser('fay');
    expect(after?.factor).toBeNull();
    expect([made.sessionsEndedAt, after?.sessionsEndedAt]).toEqual([null, expect.any(String)]);
  });

  it.each([
    [['create', 'x', '--admin', '--role', 'analyst'], 'An administrator has no role.'],
    [['role', 'ada'], 'Say --role and one of analyst, developer, manager.'],
    [['role', 'ada', '--role', 'king'], '--role must be one of analyst, developer, manager.'],
    [['reset-factor', 'nobody'], 'There is no user nobody.'],
    [['create', 'ada', '--admin'], 'The username ada is taken.'],
    [['create', 'x', '--admin', '--mid', '1'], 'Say either --admin or --mid <N>.'],
    [['create', 'x', '--mid', '1e3'], '--mid must be a whole number from 1 to 9007199254740991.'],
    [['token', 'ada', '--days', '0'], '--days must be a whole number from 1 to 3650.'],
    [['create', 'x4242424242424242', '--admin'], 'A username must not hold a card number.'],
    [['create', 'eve', '--admin', '--name', '4242 4242 4242 4242'], 'A name must not hold a card number.'],
    [['create'], 'create takes one argument: a username.'],
    [['show', 'nobody'], 'There is no user nobody.'],
    [['revoke', 'none'], 'There is no long-lived token none.'],
    [['dance', 'ada'], 'There is no command dance; npm run user -- --help lists them.'],
    [['list', 'ada'], 'list takes no arguments.'],
  ])('answers %j with one sentence', async (args, sentence) =>
    expect(await user(args)).toEqual({ out: '', err: `${sentence}\n`, status: 1 }),
  );

  it('says what to do when no stack runs', async () => {
    const answer = await runUser(['show', 'ada'], { dataFolder: '/nowhere' });
    expect(answer).toMatchObject({ out: '', err: expect.stringContaining('start it with npm start'), status: 1 });
  });

  it('explains itself', async () => {
    expect(await runUser(['--help'])).toMatchObject({ status: 0, out: expect.stringContaining('create <username>') });
  });
});
