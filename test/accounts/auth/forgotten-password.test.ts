import { GetSuppressedDestinationCommand, SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2';
import { mockClient } from 'aws-sdk-client-mock';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { toSingleSignOnItem } from '#accounts/auth/single-sign-on/single-sign-on-row.ts';
import { mailLanguages } from '#accounts/auth/users/forgotten-password.ts';
import { newUser, type User } from '#accounts/auth/users/user.ts';
import { toUserItem } from '#accounts/auth/users/user-row.ts';
import { findUser } from '#accounts/auth/users/user-store.ts';
import { milliseconds, setClock } from '#core/kernel/clock.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem, putItem } from '#core/platform/table/table.ts';
import { handler } from '#jobs/send-mail/handler.ts';
import { sqsEvent } from '#test/messaging/support.ts';
import { fromPage } from '#test/support/browser-session.ts';
import { ask, beforeTransactions, expectDeclared, useOperations } from '#test/support/operations.ts';

useOperations();
const ses = mockClient(SESv2Client);
let time = Date.UTC(2026, 4, 2, 10);
let queued: string[] = [];
/** The kinds of the rows that are written. */
let written: string[] = [];
beforeEach(() => {
  process.env['MAIL_FROM'] = 'alerts@forewarn.example';
  process.env['DASHBOARD_URL'] = 'https://pay.example/dashboard';
  time += milliseconds.hour;
  setClock(() => time);
  ses.reset();
  ses.on(SendEmailCommand).resolves({});
  ses.on(GetSuppressedDestinationCommand).rejects(Object.assign(new Error('none'), { name: 'NotFoundException' }));
  [queued, written] = [[], []];
  beforeTransactions(async ({ TransactItems = [] }) => {
    for (const { Put } of TransactItems) {
      if (Put?.Item?.['entity'] === 'MAIL') queued.push(String(Put.Item['id']));
      written.push(String(Put?.Item?.['entity']));
    }
  });
});
afterEach(() => {
  setClock();
  delete process.env['DASHBOARD_URL'];
});

let people = 0;
/** A user of merchant 7 with a password and an e-mail address, at most changed as told. */
const newPerson = async (change: Partial<User> = {}): Promise<string> => {
  people += 1;
  const username = `person${people}@m7`;
  const known = { username, scope: 'merchant', mid: 7, role: 'analyst', name: 'Ann' } as const;
  const user = newUser({ ...known, email: `ann${people}@shop.example` }, new Date(time - 1).toISOString());
  await putItem(toUserItem({ ...user, passwordHash: 'a hash', ...change }));
  return username;
};
const forgot = (username: string, language?: string) =>
  fromPage('auth/ask-for-password', { username, ...(language && { language }) });
const sendQueued = async () => {
  const { batchItemFailures } = await handler(sqsEvent(queued.map((mailId) => ({ mailId }))));
  expect(batchItemFailures).toEqual([]);
  return ses.commandCalls(SendEmailCommand).map(({ args: [{ input }] }) => ({
    to: input.Destination?.ToAddresses?.[0],
    subject: input.Content?.Simple?.Subject?.Data,
    text: String(input.Content?.Simple?.Body?.Text?.Data),
    html: String(input.Content?.Simple?.Body?.Html?.Data),
  }));
};
const linkIn = (text: string | undefined) => /token=([\w-]{43})/.exec(text ?? '')?.[1] ?? '';
const set = (token: string, password = 'a new battery staple') =>
  ask('auth/set-password', { as: 'nobody', body: { token, password } });
const ok = { status: 200, body: { status: 'ok' } };

describe('a forgotten password', () => {
  it('is set by a mailed link that works once, within 30 minutes, and ends all sessions and earlier links', async () => {
    const username = await newPerson();
    expect(await forgot(` ${username.toUpperCase()} `)).toMatchObject(ok);
    expect(await forgot(username)).toMatchObject(ok);
    const [first, second] = await sendQueued();
    expect(first).toMatchObject({ to: `ann${people}@shop.example`, subject: 'Set a new password for Forewarn' });
    expect(first?.text).toContain('https://pay.example/dashboard#/set-password?token=');
    time += 29 * milliseconds.minute;
    expect(await set(linkIn(second?.text))).toMatchObject({ status: 200, body: { username } });
    const at = new Date(time).toISOString();
    expect(await findUser(username)).toMatchObject({ tokensValidFrom: at, sessionsEndedAt: at });
    expect(await set(linkIn(second?.text))).toMatchObject({ status: 404 });
    expect(await set(linkIn(first?.text))).toMatchObject({ status: 404 });
    expect(await fromPage('auth/create-session', { username, password: 'a new battery staple' })).toMatchObject({
      status: 200,
    });
  });

  it('keeps its password if the link is not used within 30 minutes', async () => {
    const username = await newPerson();
    await forgot(username);
    const [mail] = await sendQueued();
    time += 30 * milliseconds.minute;
    expect(await set(linkIn(mail?.text))).toMatchObject({ status: 404 });
    expect(await findUser(username)).toMatchObject({ passwordHash: 'a hash', sessionsEndedAt: null });
  });

  it('leaves the second factor, passkeys and recovery codes as they are', async () => {
    const factor = { sealed: 's', createdAt: '', lastStep: 0, recovery: [] };
    const username = await newPerson({ factor, recovery: ['r'] });
    await forgot(username);
    const [mail] = await sendQueued();
    expect(await set(linkIn(mail?.text))).toMatchObject({ status: 200 });
    expect(await findUser(username)).toMatchObject({ factor, recovery: ['r'] });
    expect(await fromPage('auth/create-session', { username, password: 'a new battery staple' })).toMatchObject({
      status: 401,
      body: { code: 'second_factor_needed' },
    });
  });

  it('is not set by a link that was mailed to an address which the user no longer has', async () => {
    const username = await newPerson();
    await forgot(username);
    const [mail] = await sendQueued();
    await putItem(toUserItem({ ...((await findUser(username)) as User), email: 'moved@shop.example' }));
    expect(await set(linkIn(mail?.text))).toMatchObject({ status: 404, body: { code: 'password_link_not_found' } });
  });

  it('keeps no token in the row of the e-mail, and only the digest of the link', async () => {
    await forgot(await newPerson());
    const before = JSON.stringify(await getItem(keys.mail(queued[0] ?? '')));
    const [mail] = await sendQueued();
    const after = JSON.stringify(await getItem(keys.mail(queued[0] ?? '')));
    expect(linkIn(mail?.text)).toHaveLength(43);
    expect(before + after).not.toContain(linkIn(mail?.text));
  });

  it.each([
    ['there is no such user', async () => 'nobody-here'],
    ['the user has no address', () => newPerson({ email: '' })],
    ['the user is disabled', () => newPerson({ disabled: true })],
    ['the user is a program', () => newPerson({ isProgram: true })],
  ])('is answered alike with the same rows, and mailed to nobody, where %s', async (_, make) => {
    const usual = await forgot(await newPerson());
    const [username, before] = [await make(), queued.length];
    expect(await forgot(username)).toEqual(usual);
    expect(queued).toHaveLength(before + 1);
    queued = queued.slice(before);
    expect(await sendQueued()).toEqual([]);
    expect(written).toEqual([...Array(2)].flatMap(() => ['PASSWORD_LINK', 'MAIL', 'AUDIT']));
    expect(JSON.stringify(await getItem(keys.mail(queued[0] ?? '')))).not.toContain('nobody-here');
  });

  it('is refused after 3 tries for a username, known or not, and after 20 from an address', async () => {
    for (const username of [await newPerson(), 'not a user of ours']) {
      for (const status of [200, 200, 200, 429]) expect(await forgot(username)).toMatchObject({ status });
    }
    const statuses: number[] = [];
    for (let one = 0; one < 16; one += 1) statuses.push((await forgot(`another ${one}`)).status);
    expect(statuses).toEqual([...Array(12).fill(200), ...Array(4).fill(429)]);
    time += 15 * milliseconds.minute;
    expect(await forgot('another 1')).toMatchObject(ok);
  });

  it('sends people of single sign-on without a password to their identity provider', async () => {
    const settings = {
      mid: 7,
      issuer: 'https://idp.example',
      clientId: 'c',
      sealed: 's',
      domains: [],
      linkByEmail: false,
    };
    const claims = { verifiedClaim: 'v', roleClaim: 'g', roleValues: { analyst: [], developer: [], manager: [] } };
    const sso = { ...settings, ...claims, defaultRole: null, enabled: true, version: 1 };
    await putItem(toSingleSignOnItem(sso));
    await forgot(await newPerson({ passwordHash: '' }), 'fr');
    await forgot(await newPerson());
    const [elsewhere, here] = await sendQueued();
    expect(elsewhere?.text).toContain('https://pay.example/dashboard?sso=7');
    expect([linkIn(elsewhere?.text), linkIn(here?.text).length]).toEqual(['', 43]);
    await putItem(toSingleSignOnItem({ ...sso, enabled: false }));
  });

  it.each(mailLanguages)('is answered in the language of the page: %s', async (language) => {
    await forgot(await newPerson(), language);
    const [mail] = await sendQueued();
    expect(mail?.html).toContain(`<html lang="${language}">`);
    expect(mail?.text.match(/30 /g)).toHaveLength(1);
  });

  it('is in the audit log of the merchant, once however often its e-mail is tried', async () => {
    const username = await newPerson();
    await forgot(username);
    ses.on(SendEmailCommand).rejectsOnce(Object.assign(new Error('busy'), { name: 'TooManyRequestsException' }));
    await handler(sqsEvent([{ mailId: queued[0] }])).catch(() => undefined);
    await sendQueued();
    const { body } = await ask('auth/list-audit', { as: { mid: 7 }, body: { size: 5 } });
    const own = (body as { list: { username: string; operation: string }[] }).list;
    expect(own.filter((entry) => entry.username === username)).toMatchObject([
      { operation: 'auth/ask-for-password', by: '-', source_ip: '127.0.0.1', result: 'DONE', changes: [] },
    ]);
  });

  it('is asked for by a page of the service alone', async () => {
    const body = { username: await newPerson() };
    expect(await ask('auth/ask-for-password', { as: 'nobody', body })).toMatchObject({ status: 403 });
    expect(queued).toEqual([]);
  });
});

it('auth/ask-for-password does what it declares', () => expectDeclared('auth/ask-for-password'));
