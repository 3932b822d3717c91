import { SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2';
import { mockClient } from 'aws-sdk-client-mock';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createUser, findUser, setRole } from '#accounts/auth/users/user-store.ts';
import { toMerchantItem } from '#accounts/merchants/merchant/merchant-row.ts';
import { milliseconds, setClock } from '#core/kernel/clock.ts';
import { saveMailAddress } from '#core/platform/mail/mail-address-store.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem, putItem } from '#core/platform/table/table.ts';
import { fromPage } from '#test/support/browser-session.ts';
import {
  type As,
  ask,
  beforePuts,
  beforeTransactions,
  expectDeclared,
  useOperations,
} from '#test/support/operations.ts';

useOperations();
/** Only the mock can say that an e-mail did not go out. */
const mail = mockClient(SESv2Client);

const start = Date.UTC(2026, 4, 2, 10);
let time = start;
beforeEach(async () => {
  process.env['MAIL_FROM'] = 'alerts@forewarn.example';
  setClock(() => time);
  mail.reset();
  mail.on(SendEmailCommand).resolves({});
  for (const mid of [7, 8]) await putItem(toMerchantItem({ mid, name: `M${mid}`, createdAt: '', profile: {} }));
});
afterEach(() => setClock());

const manager = { mid: 7 } as const;
const password = 'correct horse battery';
type Made = { username: string; setup_url: string; expires_at: string; mailed: boolean };

const make = async (username: string, more: object = {}, as: As = manager) =>
  ask('auth/create-user', { as, body: { username, name: 'Ann Analyst', role: 'analyst', ...more } });
const made = async (username: string, more: object = {}, as: As = manager) => {
  const { status, body } = await make(username, more, as);
  expect(status).toBe(200);
  return body as Made;
};
const setupToken = ({ setup_url }: { setup_url: string }) => setup_url.split('token=')[1] ?? '';
const set = (token: string, chosen = password) =>
  ask('auth/set-password', { as: 'nobody', body: { token, password: chosen } });
const signIn = (username: string, chosen = password) => fromPage('auth/create-session', { username, password: chosen });
const listed = async (as: As, body: object = {}) =>
  ((await ask('auth/list-users', { as, body })).body as { list: { username: string }[] }).list;

const taken = { status: 409, body: { msg: 'The username is taken' } };

describe('POST /api/v3/users/create', () => {
  it('makes a user who sets their password by a link, which is mailed, good once, and kept by its digest', async () => {
    const link = await made('Ann@Shop.example');
    expect(link).toEqual({
      status: 'ok',
      username: 'ann@shop.example@m7',
      setup_url: expect.stringMatching(/^https:\/\/localhost\/dashboard#\/set-password\?token=[\w-]{43}$/),
      expires_at: '2026-05-03T10:00:00.000Z',
      mailed: true,
    });
    const [sent] = mail.commandCalls(SendEmailCommand).map(({ args: [{ input }] }) => input);
    expect(sent?.Destination?.ToAddresses).toEqual(['Ann@Shop.example']);
    expect(sent?.Content?.Simple?.Body?.Text?.Data).toContain(link.setup_url);
    expect(await signIn('ann@shop.example@m7')).toMatchObject({ status: 401 });
    expect(await set(setupToken(link))).toMatchObject({ status: 200, body: { username: 'ann@shop.example@m7' } });
    expect(await signIn('ann@shop.example@m7')).toMatchObject({
      status: 200,
      body: { user: { mid: 7, role: 'analyst', name: 'Ann Analyst' } },
    });
    expect(await set(setupToken(link), 'another password')).toMatchObject({ status: 404 });
  });

  it('says that no e-mail went out, where there is no address or it failed; the link stands', async () => {
    expect(await made('plain-name')).toMatchObject({ mailed: false });
    mail.on(SendEmailCommand).rejects(new Error('SES is down'));
    const link = await made('unlucky', { email: 'unlucky@shop.example' });
    expect(link.mailed).toBe(false);
    expect(await set(setupToken(link))).toMatchObject({ status: 200 });
  });

  it('makes users of the caller’s merchant only, and of any that an operator names', async () => {
    expect(await make('elsewhere', { mid: 8 })).toMatchObject({ status: 404 });
    expect(await make('elsewhere', { mid: 99 }, 'admin')).toMatchObject({ status: 404 });
    expect(await make('elsewhere', {}, 'admin')).toMatchObject({ status: 400 });
    await made('elsewhere', { mid: 8 }, 'admin');
    expect(await findUser('elsewhere')).toMatchObject({ mid: 8, scope: 'merchant' });
  });

  it('returns the same to a merchant whether another merchant or an operator has the name or not', async () => {
    await createUser({ username: 'root', password, scope: 'admin' });
    await createUser({ username: 'plain', password, scope: 'merchant', mid: 8 });
    await made('theirs', {}, { mid: 8 });
    const answer = async (name: string) => {
      const { status, body } = await make(name);
      return JSON.parse(JSON.stringify({ status, body: { ...Object(body), setup_url: '' } }).replaceAll(name, 'NAME'));
    };
    const free = await answer('free-name');
    expect(free).toMatchObject({ status: 200, body: { username: 'NAME@m7' } });
    for (const name of ['root', 'plain', 'theirs', 'theirs@m8']) expect(await answer(name), name).toEqual(free);
    expect(await findUser('root')).toMatchObject({ scope: 'admin' });
    expect(await findUser('theirs@m8')).toMatchObject({ mid: 8 });
  });

  it('refuses a username that the same merchant has, with and without the suffix', async () => {
    await made('ours');
    time += 1;
    for (const name of ['ours', 'OURS', 'ours@m7']) expect(await make(name), name).toMatchObject(taken);
  });

  it('keeps the names that operators choose, unless they have the suffix of another merchant', async () => {
    expect(await made('chosen', { mid: 8 }, 'admin')).toMatchObject({ username: 'chosen' });
    time += 1;
    expect(await make('chosen', { mid: 8 }, 'admin')).toMatchObject(taken);
    expect(await made('chosen@m8', { mid: 8 }, 'admin')).toMatchObject({ username: 'chosen@m8' });
    expect(await make('chosen@m7', { mid: 8 }, 'admin')).toMatchObject({
      status: 400,
      body: { details: expect.stringContaining('another merchant') },
    });
    await expect(createUser({ username: 'root@m7', password, scope: 'admin' })).rejects.toThrow('another merchant');
  });

  it.each([
    [{ role: 'admin' }, 'role'],
    [{ email: 'nobody' }, 'email'],
    [{ name: '' }, 'name'],
    [{ username: 'two words' }, 'username'],
    [{ username: '4242424242424242' }, 'username: must not hold a card number'],
    [{ name: 'Ann 4242 4242 4242 4242' }, 'name: must not hold a card number'],
  ])('refuses %j', async (wrong, names) =>
    expect(await make('fine', wrong)).toMatchObject({ status: 400, body: { details: expect.stringContaining(names) } }),
  );
});

describe('POST /api/v3/users/password', () => {
  it('is refused a day later, for a short password, for a link there is not, and for who was disabled', async () => {
    const late = await made('late');
    const disabled = await made('disabled');
    expect(await set(setupToken(late), 'short')).toMatchObject({ status: 400 });
    await ask('auth/update-user', { as: manager, body: { username: 'disabled@m7', disabled: true } });
    expect(await set(setupToken(disabled))).toMatchObject({ status: 404 });
    time += milliseconds.day;
    expect(await set(setupToken(late))).toMatchObject({ status: 404 });
    let entries = 0;
    beforePuts(async ({ Item }) => {
      if (Item?.['entity'] === 'AUDIT') entries += 1;
    });
    expect(await set('A'.repeat(43))).toMatchObject({ status: 404 });
    expect(await set('A'.repeat(43), 'another password'), 'whatever the password').toMatchObject({ status: 404 });
    expect(entries, 'audit entries by whoever has no link').toBe(0);
    beforePuts();
  });

  it('is refused by an invitation to an address that turned out to be wrong', async () => {
    const link = await made('mistyped', { email: 'stranger@shop.example' });
    await ask('auth/update-user', { as: { mid: 7 }, body: { username: 'mistyped@m7', email: 'right@shop.example' } });
    expect(await set(setupToken(link))).toMatchObject({ status: 404, body: { code: 'password_link_not_found' } });
  });

  it('is refused by a link of before another password was set', async () => {
    const first = await made('two-links');
    const { body } = await ask('auth/update-user', {
      as: manager,
      body: { username: 'two-links@m7', password_link: true },
    });
    time += 1;
    expect(await set(setupToken((body as { link: Made }).link))).toMatchObject({ status: 200 });
    time += 1;
    expect(await set(setupToken(first), 'another password')).toMatchObject({ status: 404 });
    expect(await signIn('two-links@m7')).toMatchObject({ status: 200 });
  });

  it('gives the password to one of two who send it at once', async () => {
    const token = setupToken(await made('raced'));
    const answers = await Promise.all([set(token, 'the first password'), set(token, 'the second password')]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
  });
});

describe('POST /api/v3/users/update', () => {
  it('changes what is sent and leaves the rest', async () => {
    await made('changes', { email: 'c@shop.example' });
    const change = (body: object) =>
      ask('auth/update-user', { as: manager, body: { username: 'changes@m7', ...body } });
    expect(await change({ name: 'Chris' })).toMatchObject({
      status: 200,
      body: { user: { name: 'Chris', role: 'analyst', email: 'c@shop.example' }, link: null },
    });
    expect(await change({ role: 'developer' })).toMatchObject({ body: { user: { name: 'Chris', role: 'developer' } } });
    expect(await change({ disabled: true })).toMatchObject({ body: { user: { disabled: true } } });
    expect(await change({ name: '4242424242424242' })).toMatchObject({ status: 400 });
  });

  it('ends nothing that a new name is no reason for, and all that another role is', async () => {
    const username = 'keeps-session@m7';
    await set(setupToken(await made(username)));
    time += 1;
    await ask('auth/update-user', { as: manager, body: { username, name: 'New' } });
    expect((await findUser(username))?.sessionsEndedAt).toBe(new Date(time - 1).toISOString());
    await ask('auth/update-user', { as: manager, body: { username, role: 'manager' } });
    expect((await findUser(username))?.sessionsEndedAt).toBe(new Date(time).toISOString());
  });

  it('makes a link for who forgot the password, which ends the old one when it is used', async () => {
    await set(setupToken(await made('forgot')));
    const { body } = await ask('auth/update-user', {
      as: manager,
      body: { username: 'forgot@m7', password_link: true },
    });
    const { link } = body as { link: Made };
    expect(await signIn('forgot@m7')).toMatchObject({ status: 200 });
    time += 1;
    expect(await set(setupToken(link), 'another password')).toMatchObject({ status: 200 });
    expect(await signIn('forgot@m7')).toMatchObject({ status: 401 });
    expect(await signIn('forgot@m7', 'another password')).toMatchObject({ status: 200 });
  });

  it('returns the same 404 for another merchant’s user, an operator and an unknown user', async () => {
    await made('theirs', { mid: 8 }, 'admin');
    const answers = [];
    for (const username of ['theirs', 'root', 'no-one']) {
      answers.push(await ask('auth/update-user', { as: manager, body: { username, name: 'Mine' } }));
    }
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(answers[0]).toMatchObject({ status: 404 });
  });

  it('changes no operator, even if another operator asks for it', async () => {
    await createUser({ username: 'other-operator', password, scope: 'admin' });
    const before = await findUser('other-operator');
    const body = { username: 'other-operator', name: 'Mine', disabled: true };
    expect(await ask('auth/update-user', { body })).toMatchObject({ status: 404, body: { code: 'user_not_found' } });
    expect(await findUser('other-operator')).toEqual(before);
  });

  it('refuses users who change their own role or disable themselves', async () => {
    await createUser({ username: 'merchant-7', password, scope: 'merchant', mid: 7 });
    for (const body of [{ role: 'analyst' }, { disabled: true }]) {
      expect(await ask('auth/update-user', { as: manager, body: { username: 'merchant-7', ...body } })).toMatchObject({
        status: 409,
      });
    }
    expect(await ask('auth/update-user', { as: manager, body: { username: 'merchant-7', name: 'Me' } })).toMatchObject({
      status: 200,
    });
  });

  it('keeps a concurrent change', async () => {
    await made('contested');
    beforeTransactions(async () => {
      beforeTransactions();
      await ask('auth/update-user', { as: manager, body: { username: 'contested@m7', role: 'developer' } });
    });
    const answer = await ask('auth/update-user', { as: manager, body: { username: 'contested@m7', name: 'Late' } });
    expect(answer).toMatchObject({ status: 200 });
    expect(await findUser('contested@m7')).toMatchObject({ role: 'developer', name: 'Late' });
  });

  it('asks to send it again when others keep changing the user', async () => {
    await made('busy');
    const interfere = async () => {
      beforeTransactions();
      await setRole('busy@m7', 'developer');
      beforeTransactions(interfere);
    };
    beforeTransactions(interfere);
    const answer = await ask('auth/update-user', { as: manager, body: { username: 'busy@m7', name: 'Late' } });
    beforeTransactions();
    expect(answer).toMatchObject({ status: 409, body: { msg: 'Another caller changed this at the same time' } });
    expect(await findUser('busy@m7')).toMatchObject({ role: 'developer', name: 'Ann Analyst' });
  });
});

describe('POST /api/v3/users/list', () => {
  it('shows a merchant its own users, and an operator all', async () => {
    const own = (await listed(manager, { size: 500 })).map(({ username }) => username);
    expect(own).toContain('ann@shop.example@m7');
    expect(own).not.toContain('theirs');
    expect((await listed('admin', { size: 500 })).map(({ username }) => username)).toContain('theirs');
    expect((await listed('admin', { mid: 8 })).map(({ username }) => username)).toContain('elsewhere');
    const { body: page } = await ask('auth/list-users', { as: manager, body: { size: 1 } });
    expect(page).toMatchObject({
      list: [expect.anything()],
      totalResult: own.length,
      next_cursor: expect.any(String),
    });
    expect(
      (await ask('auth/list-users', { as: manager, body: { size: 1, offset: own.length - 1 } })).body,
    ).toMatchObject({
      list: [{ username: own.at(-1) }],
      totalResult: own.length,
    });
    expect(await ask('auth/list-users', { as: manager, body: { mid: 8 } })).toMatchObject({ status: 404 });
  });

  it('continues after the last user of the page, even if their username is an e-mail address', async () => {
    const all = (await listed(manager, { size: 500, order: 'ASC' })).map(({ username }) => username);
    const seen: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const { status, body } = await ask('auth/list-users', { as: manager, body: { size: 1, order: 'ASC', cursor } });
      expect(status).toBe(200);
      const { list, next_cursor } = body as { list: { username: string }[]; next_cursor: string | null };
      seen.push(...list.map(({ username }) => username));
      cursor = next_cursor;
    }
    expect(seen).toEqual(all);
    expect(seen).toContain('ann@shop.example@m7');
  });

  it('shows analysts neither e-mail addresses nor second factors', async () => {
    expect((await make('seen@shop.example')).status).toBe(200);
    const analyst = { mid: 7, role: 'analyst' } as const;
    const { body } = await ask('auth/list-users', { as: analyst, body: { size: 500 } });
    const { list } = body as { list: { username: string }[] };
    const found = list.find(({ username }) => username === 'seen@shop.example@m7') ?? {};
    expect(Object.keys(found)).toEqual([
      ...['username', 'name', 'scope', 'mid', 'role', 'disabled', 'created_at', 'password_set'],
      ...['time_zone', 'alert_emails'],
    ]);
  });

  it('shows how each stands, and no digest', async () => {
    const found = (await listed(manager, { size: 500 })).find(({ username }) => username === 'changes@m7');
    expect(found).toEqual({
      username: 'changes@m7',
      name: 'Chris',
      email: 'c@shop.example',
      scope: 'merchant',
      mid: 7,
      role: 'developer',
      disabled: true,
      created_at: expect.any(String),
      second_factor: false,
      password_set: false,
      time_zone: null,
      alert_emails: 'each',
      mail_fault: null,
    });
  });

  it('shows why e-mails to a user do not arrive', async () => {
    const fault = { reason: 'bounced', at: '2026-04-30T08:00:00.000Z' } as const;
    await saveMailAddress('C@shop.example', { checkedAt: fault.at, fault });
    const found = (await listed(manager, { size: 500 })).find(({ username }) => username === 'changes@m7');
    expect(found).toMatchObject({ mail_fault: fault });
  });
});

it('reads users of before there were roles, and writes them in the new form', async () => {
  const at = '2026-01-01T00:00:00.000Z';
  const old = {
    username: 'old',
    scope: 'merchant',
    mid: 7,
    passwordHash: 'x',
    disabled: false,
    createdAt: at,
    tokensValidFrom: at,
  };
  await putItem({ ...keys.user('old'), entity: 'USER', user: old });
  expect(await findUser('old')).toMatchObject({ role: 'manager', name: '', factor: null, sessionsEndedAt: null });
  const answer = await ask('auth/update-user', { as: manager, body: { username: 'old', role: 'analyst' } });
  expect(answer).toMatchObject({ status: 200, body: { user: { role: 'analyst' } } });
  expect(await getItem(keys.user('old'))).toMatchObject({ user: { ...old, role: 'analyst', version: 1 } });
  expect((await listed(manager, { size: 500 })).map(({ username }) => username)).toContain('old');
});

it('does what its operations declare', () => {
  for (const operation of ['auth/create-user', 'auth/update-user', 'auth/list-users', 'auth/set-password'])
    expectDeclared(operation);
});
