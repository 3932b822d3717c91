import { describe, expect, it } from 'vitest';
import { newUser, type User } from '#accounts/auth/users/user.ts';
import { toUserItem } from '#accounts/auth/users/user-row.ts';
import { changePassword, changeUser, findUser } from '#accounts/auth/users/user-store.ts';
import { toMerchantItem } from '#accounts/merchants/merchant/merchant-row.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem, putItem } from '#core/platform/table/table.ts';
import { type As, ask, beforeTransactions, expectDeclared, useOperations } from '#test/support/operations.ts';

useOperations();

const at = '2026-05-02T10:00:00.000Z';
const factor = { sealed: 'sealed', createdAt: at, lastStep: 0, recovery: [] };
const passkey = {
  ...{ id: 'id', name: 'Phone', rpId: 'dashboard.example', publicKey: 'key', counter: 0, transports: [] },
  ...{ createdAt: at, lastUsedAt: null },
};

/** Makes the user as whom `ask` calls for a merchant. */
const signedIn = async (mid: number) => {
  const user = newUser(
    { username: `merchant-${mid}`, scope: 'merchant', mid, role: 'analyst', name: 'Ann', email: 'ann@shop.example' },
    at,
  );
  await putItem(toUserItem(user));
  return user.username;
};
const set = (as: As, body: object) => ask('auth/set-own-settings', { as, body });

describe('POST /api/v3/session', () => {
  const as = { mid: 31, role: 'analyst' } as const;
  const password = 'the password of Ann';
  const wanted = 'correct horse battery';
  const change = (body: object) => ask('auth/change-own-password', { as, body });
  const signIn = async (given: string) =>
    (await ask('auth/get-token', { as: 'nobody', body: { username: 'merchant-31', password: given } })).status;

  it('changes the password of whoever gives the present one, and ends their sessions', async () => {
    const username = await signedIn(31);
    await changePassword(username, password);
    const before = await findUser(username);
    expect(await change({ current_password: 'a guess', password: wanted })).toMatchObject({
      status: 400,
      body: { details: 'current_password: is not your present password' },
    });
    expect(await change({ current_password: password, password: 'short' })).toMatchObject({ status: 400 });
    expect(await change({ current_password: password, password })).toMatchObject({
      body: { details: 'password: must differ from the present one' },
    });
    expect([await signIn(password), await signIn(wanted)]).toEqual([200, 401]);
    expect(await change({ current_password: password, password: wanted })).toMatchObject({ status: 200 });
    expect([await signIn(password), await signIn(wanted)]).toEqual([401, 200]);
    const after = await findUser(username);
    expect((after?.sessionsEndedAt ?? '') > (before?.sessionsEndedAt ?? '')).toBe(true);
  });

  it('is locked after five wrong passwords, as signing in is', async () => {
    await changePassword(await signedIn(31), password);
    const guesses = await Promise.all(
      [1, 2, 3, 4, 5].map((n) => change({ current_password: `guess ${n}`, password: wanted })),
    );
    expect(guesses.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400]);
    expect(await change({ current_password: password, password: wanted })).toMatchObject({ status: 429 });
    expect(await signIn(password)).toBe(429);
  });
});

describe('POST /api/v3/users', () => {
  it('sets the caller’s time zone, shows it, and removes it again', async () => {
    const username = await signedIn(1);
    const as = { mid: 1, role: 'analyst' } as const;
    expect((await set(as, {})).body).toEqual({
      status: 'ok',
      time_zone: null,
      alert_emails: 'each',
      monthly_report: false,
      email: 'ann@shop.example',
      merchant: null,
      second_factor: null,
      devices: { public_key: null, list: [] },
    });
    expect((await set(as, { time_zone: 'Europe/Berlin' })).body).toMatchObject({ time_zone: 'Europe/Berlin' });
    expect((await set(as, {})).body).toMatchObject({ time_zone: 'Europe/Berlin' });
    expect(await findUser(username)).toMatchObject({ zone: 'Europe/Berlin', name: 'Ann', role: 'analyst' });
    const { list } = (await ask('auth/list-users', { as, body: {} })).body as { list: object[] };
    expect(list).toMatchObject([{ username, time_zone: 'Europe/Berlin' }]);
    expect((await set(as, { time_zone: null })).body).toMatchObject({ time_zone: null });
    expect(await findUser(username)).not.toHaveProperty('zone');
  });

  it.each<[string | null, Partial<User>]>([
    ['app', { factor, passkeys: [passkey] }],
    ['passkey', { passkeys: [passkey] }],
    [null, {}],
  ])('returns the caller’s second factor %s, and the merchant by its name', async (second_factor, own) => {
    const username = await signedIn(6);
    const user = await findUser(username);
    if (!user) throw new Error('The user was not stored.');
    await putItem(toUserItem({ ...user, ...own }));
    await putItem(toMerchantItem({ mid: 6, name: 'Six Ltd', createdAt: at, profile: {} }));
    expect((await set({ mid: 6, role: 'analyst' }, {})).body).toMatchObject({ second_factor, merchant: 'Six Ltd' });
  });

  it('refuses operators the e-mails of merchants’ users, and shows none that an earlier release has stored', async () => {
    const operator = newUser({ username: 'root', scope: 'admin', mid: null, role: null, name: 'Olga', email: '' }, at);
    await putItem(toUserItem({ ...operator, digest: true, monthlyReport: true }));
    const none = { alert_emails: 'each', monthly_report: false, merchant: null };
    expect((await set('admin', {})).body).toMatchObject(none);
    for (const [name, value] of [
      ['alert_emails', 'daily'],
      ['monthly_report', true],
    ] as const) {
      const { status, body } = await set('admin', { [name]: value });
      expect({ status, body }).toMatchObject({
        status: 400,
        body: { details: `${name}: only users of a merchant get these e-mails.` },
      });
    }
    expect(await set('admin', { alert_emails: 'each', monthly_report: false, time_zone: 'Asia/Tokyo' })).toMatchObject({
      status: 200,
      body: { ...none, time_zone: 'Asia/Tokyo' },
    });
    expect(await getItem(keys.digest('root'))).toBeUndefined();
  });

  it('chooses one e-mail a day, and single ones again, next to the time zone', async () => {
    const username = await signedIn(5);
    const as = { mid: 5, role: 'analyst' } as const;
    await set(as, { time_zone: 'Asia/Tokyo' });
    expect((await set(as, { alert_emails: 'daily' })).body).toMatchObject({
      time_zone: 'Asia/Tokyo',
      alert_emails: 'daily',
    });
    expect((await getItem(keys.digest(username)))?.['digest']).toMatchObject({ mid: 5, zone: 'Asia/Tokyo' });
    expect((await set(as, { time_zone: null })).body).toMatchObject({ time_zone: null, alert_emails: 'daily' });
    expect((await getItem(keys.digest(username)))?.['digest']).toMatchObject({ zone: null });
    expect((await set(as, { alert_emails: 'each' })).body).toMatchObject({ alert_emails: 'each' });
    expect(await getItem(keys.digest(username))).toBeUndefined();
    expect(await set(as, { alert_emails: 'hourly' })).toMatchObject({ status: 400 });
  });

  it('chooses the monthly report without changing the time of the digest, and stops it', async () => {
    const username = await signedIn(6);
    const as = { mid: 6, role: 'analyst' } as const;
    await set(as, { alert_emails: 'daily' });
    const digest = await getItem(keys.digest(username));
    expect((await set(as, { monthly_report: true })).body).toMatchObject({
      alert_emails: 'daily',
      monthly_report: true,
    });
    expect(await getItem(keys.monthlyReport(username))).toMatchObject({ username, mid: 6 });
    expect(await getItem(keys.digest(username))).toEqual(digest);
    expect((await set(as, { time_zone: 'Asia/Tokyo' })).body).toMatchObject({ monthly_report: true });
    expect((await set(as, { monthly_report: false })).body).toMatchObject({ monthly_report: false });
    expect(await getItem(keys.monthlyReport(username))).toBeUndefined();
  });

  it('writes nothing when nothing changes', async () => {
    const username = await signedIn(2);
    await set({ mid: 2 }, { time_zone: 'Asia/Tokyo' });
    const before = await findUser(username);
    await set({ mid: 2 }, { time_zone: 'Asia/Tokyo' });
    await set({ mid: 2 }, {});
    expect(await findUser(username)).toEqual(before);
  });

  it('refuses names that are not time zones', async () => {
    await signedIn(3);
    for (const time_zone of ['Mars/Olympus', '+02:00', '', 7])
      expect(await set({ mid: 3 }, { time_zone })).toMatchObject({ status: 400 });
  });

  it('gives up while others keep changing the user', async () => {
    const username = await signedIn(4);
    const again = async () => {
      beforeTransactions();
      const user = await findUser(username);
      if (user) await changeUser(user, { ...user, name: `${user.name}.` });
      beforeTransactions(again);
    };
    beforeTransactions(again);
    const reply = await set({ mid: 4 }, { time_zone: 'Asia/Tokyo' });
    beforeTransactions();
    expect(reply).toMatchObject({ status: 409, body: { code: 'changed_meanwhile' } });
  });

  it('performs the declared calls', () => expectDeclared('auth/set-own-settings'));
});
