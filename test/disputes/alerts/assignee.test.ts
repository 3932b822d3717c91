import { afterEach, describe, expect, it } from 'vitest';
import { newUser } from '#accounts/auth/users/user.ts';
import { toUserItem } from '#accounts/auth/users/user-row.ts';
import { setClock } from '#core/kernel/clock.ts';
import { fromMailItem } from '#core/platform/mail/mail-row.ts';
import type { Role } from '#core/platform/operation/operation.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem, putItem, queryItems } from '#core/platform/table/table.ts';
import { duePartition, dueShards } from '#core/platform/work/due.ts';
import type { HistoryEntry } from '#disputes/alerts/history/history.ts';
import { colleagueNamed, mentionedIn, mentionsIn } from '#disputes/alerts/people/colleague.ts';
import { letterText } from '#test/support/letters.ts';
import { type As, ask, expectDeclared, useOperations } from '#test/support/operations.ts';
import { settings } from './samples.ts';
import { deliveriesAt, fresh, seedClaims, seedSite, take, whileContended } from './seed.ts';

useOperations();
afterEach(() => setClock());

const at = '2026-05-02T10:00:00.000Z';

/** Makes a user of a merchant. */
const person = async (username: string, mid: number, role: Role = 'analyst', change: { disabled?: boolean } = {}) => {
  const name = username.split('@', 1)[0] ?? '';
  const email = `${name}@${mid}.example`;
  const user = newUser({ username, scope: 'merchant', mid, role, name: `The ${name}`, email }, at);
  await putItem(toUserItem({ ...user, ...change }));
  return { username, email };
};

const merchantWithAlert = async () => {
  const site = await seedSite({ alert: settings({ status_update_opt_in: true }) });
  const descriptor = `SHOP ${site.sid}`;
  await seedClaims('provider_a', 'EXACT', descriptor, site);
  const sent = { alertId: `A${fresh()}`, arn: null, authCode: null, merchantDescriptor: descriptor };
  const { alert_id: alertId } = await take('provider_a', sent);
  const { mid, sid } = site;
  const ann = await person(`ann@m${mid}`, mid);
  const bob = await person(`bob.lee@shop.example@m${mid}`, mid, 'manager');
  return { site, mid, sid, alertId, ann, bob, analyst: { mid, role: 'analyst' } as const };
};

const assign = (alertId: number, as: As, assignee: string | null) =>
  ask('alerts/set-assignee', { as, params: { alert_id: alertId }, body: { assignee } });
const note = (alertId: number, as: As, text: string, headers: Record<string, string> = {}) =>
  ask('alerts/note-alert', { as, headers, params: { alert_id: alertId }, body: { note: text } });
type Shown = { status: string; assignee: string | null; history: HistoryEntry[] };
const shown = async (alertId: number) =>
  (await ask('alerts/alert-details', { params: { alert_id: alertId } })).body as Shown;
const list = async (as: As, body: object) =>
  ((await ask('alerts/list-alerts', { as, body })).body as { list: { alert_id: number; assignee: string | null }[] })
    .list;

/** The e-mails of a merchant that await sending and are about people. */
const readMails = async (mid: number) => {
  const pages = await Promise.all(
    Array.from({ length: dueShards }, (_, shard) =>
      queryItems({
        IndexName: 'due',
        KeyConditionExpression: 'duePk = :shard',
        ExpressionAttributeValues: { ':shard': duePartition(shard) },
      }),
    ),
  );
  const ids = pages.flatMap(({ items }) => items.filter(({ entity }) => entity === 'MAIL').map(({ id }) => String(id)));
  const rows = await Promise.all(ids.map((id) => getItem(keys.mail(id))));
  return rows
    .flatMap((row) => (row ? [fromMailItem(row)] : []))
    .filter((mail) => mail.mid === mid && /assigned|mention/.test(mail.kind));
};

describe('POST /api/v3/service_alerts/alert/{alert_id}', () => {
  it('assigns an alert to a user of its merchant, records it in the history, and changes nothing else', async () => {
    const { mid, alertId, ann, analyst } = await merchantWithAlert();
    const before = await deliveriesAt(alertId);
    expect(await assign(alertId, analyst, ann.username)).toMatchObject({
      status: 200,
      body: { alert_id: alertId, assignee: ann.username },
    });
    const { assignee, status, history } = await shown(alertId);
    expect({ assignee, status }).toEqual({ assignee: ann.username, status: 'OPEN' });
    expect(history.at(-1)).toMatchObject({
      ...{ by: `merchant-${mid}`, via: 'dashboard' },
      change: { event: 'assignee changed', from: { assignee: null }, to: { assignee: ann.username } },
    });
    expect(await deliveriesAt(alertId)).toEqual(before);
  });

  it('accepts the username without the merchant’s suffix, and the part before the @ if one user has it', async () => {
    const { alertId, ann, bob, analyst } = await merchantWithAlert();
    expect((await assign(alertId, analyst, 'Ann')).body).toMatchObject({ assignee: ann.username });
    expect((await assign(alertId, analyst, 'bob.lee')).body).toMatchObject({ assignee: bob.username });
  });

  it('reassigns an alert, and removes the assignment', async () => {
    const { alertId, ann, bob, analyst } = await merchantWithAlert();
    for (const wanted of [ann.username, bob.username, null]) await assign(alertId, analyst, wanted);
    const { assignee, history } = await shown(alertId);
    expect(assignee).toBeNull();
    expect(history.slice(-3).map(({ change }) => [change.from['assignee'], change.to['assignee']])).toEqual([
      [null, ann.username],
      [ann.username, bob.username],
      [bob.username, null],
    ]);
  });

  it('writes nothing when the alert is already assigned so', async () => {
    const { mid, alertId, ann, analyst } = await merchantWithAlert();
    await assign(alertId, analyst, null);
    for (let n = 0; n < 3; n += 1) await assign(alertId, analyst, ann.username);
    const { history } = await shown(alertId);
    expect(history.map(({ change }) => change.event)).toEqual(['received', 'assignee changed']);
    expect(await readMails(mid)).toHaveLength(1);
  });

  it('notifies the assignee by e-mail with a link, but not a user who takes the alert', async () => {
    const { mid, alertId, ann, analyst } = await merchantWithAlert();
    await assign(alertId, analyst, ann.username);
    const [mail] = await readMails(mid);
    expect(mail).toMatchObject({ kind: 'alert_assigned', to: [ann.email] });
    expect(letterText(mail?.letter).text).toContain(`/dashboard#/alerts/${alertId}`);
    const own = await person(`merchant-${mid}`, mid);
    await assign(alertId, analyst, own.username);
    expect(await readMails(mid)).toHaveLength(1);
  });

  it('refuses users of another merchant, disabled ones and developers exactly as it refuses no user', async () => {
    const { mid, alertId, analyst } = await merchantWithAlert();
    const other = await merchantWithAlert();
    await person(`eve@m${other.mid}`, other.mid);
    await person(`dev@m${mid}`, mid, 'developer');
    await person(`gone@m${mid}`, mid, 'analyst', { disabled: true });
    const none = await assign(alertId, analyst, 'no-such-user');
    expect(none).toMatchObject({ status: 404, body: { code: 'user_not_found' } });
    for (const name of [`eve@m${other.mid}`, 'eve', other.ann.username, `dev@m${mid}`, `gone@m${mid}`])
      expect(await assign(alertId, analyst, name)).toEqual(none);
    // An operator assigns to users of the alert's merchant too, and to no others.
    expect(await assign(alertId, 'admin', other.ann.username)).toEqual(none);
    expect((await shown(alertId)).assignee).toBeNull();
  });

  it('treats the alert of another merchant, or of a site outside the key, as one that does not exist', async () => {
    const { mid, sid, alertId } = await merchantWithAlert();
    const other = await merchantWithAlert();
    const none = await assign(999_999, other.analyst, null);
    expect(none).toMatchObject({ status: 404, body: { code: 'alert_not_found' } });
    expect(await assign(alertId, other.analyst, other.ann.username)).toEqual(none);
    expect(await assign(alertId, { mid, sites: [sid + 1000] }, 'ann')).toEqual(none);
    expect(await assign(alertId, { mid, sites: [sid] }, 'ann')).toMatchObject({ status: 200 });
  });

  it('refuses an alert that no site has yet', async () => {
    const { alert_id } = await take('provider_a', {
      alertId: `A${fresh()}`,
      merchantDescriptor: 'NOBODY ENROLLED THIS',
    });
    expect(await assign(alert_id, 'admin', null)).toMatchObject({ status: 404 });
  });

  it('keeps the assignment when the alert is answered', async () => {
    const { sid, alertId, ann, analyst } = await merchantWithAlert();
    await assign(alertId, analyst, ann.username);
    const body = { sid, status: 'DECLINED', reason_code: '902.002' };
    await ask('alerts/answer-alert', { as: analyst, params: { alert_id: alertId }, body });
    expect(await shown(alertId)).toMatchObject({ status: 'DECLINED', assignee: ann.username });
  });

  it('gives up with a refusal while others keep changing the alert', async () => {
    const { alertId, ann, analyst } = await merchantWithAlert();
    const reply = await whileContended(alertId, () => assign(alertId, analyst, ann.username));
    expect(reply).toMatchObject({ status: 409, body: { code: 'changed_meanwhile' } });
  });

  it('performs the declared calls', () => expectDeclared('alerts/set-assignee'));
});

describe('the list of a user’s alerts', () => {
  it('has exactly the alerts that are assigned to the user, by status and type', async () => {
    const { mid, sid, alertId, ann, bob, analyst } = await merchantWithAlert();
    await assign(alertId, analyst, ann.username);
    const mine = { assignee: ann.username };
    const [row, ...others] = await list(analyst, mine);
    expect(row).toMatchObject({ alert_id: alertId, assignee: ann.username });
    expect(others).toEqual([]);
    expect(await list(analyst, { ...mine, status: ['OPEN'], alert_type: ['FRAUD', 'DISPUTE'] })).toHaveLength(1);
    expect(await list(analyst, { ...mine, status: ['RESOLVED'] })).toEqual([]);
    expect(await list(analyst, { assignee: bob.username })).toEqual([]);
    const body = { sid, status: 'DECLINED', reason_code: '902.002' };
    await ask('alerts/answer-alert', { as: analyst, params: { alert_id: alertId }, body });
    expect(await list(analyst, { ...mine, status: ['OPEN'] })).toEqual([]);
    expect(await list(analyst, { ...mine, status: ['DECLINED'] })).toHaveLength(1);
    await assign(alertId, analyst, null);
    expect(await list(analyst, mine)).toEqual([]);
    expect(await list('admin', { ...mine, mid: [mid] })).toEqual([]);
  });

  it('is empty for a user of another merchant, as for no user', async () => {
    const { alertId, ann, analyst } = await merchantWithAlert();
    const other = await merchantWithAlert();
    await assign(alertId, analyst, ann.username);
    expect(await list(other.analyst, { assignee: ann.username })).toEqual([]);
    const foreign = await ask('alerts/list-alerts', {
      as: other.analyst,
      body: { assignee: ann.username, mid: [analyst.mid] },
    });
    expect(foreign).toMatchObject({ status: 404, body: { code: 'merchant_not_found' } });
  });

  it('is not combined with sites, and needs a merchant from operators', async () => {
    const { sid, ann, analyst } = await merchantWithAlert();
    const body = { assignee: ann.username };
    expect(await ask('alerts/list-alerts', { as: analyst, body: { ...body, sid: [sid] } })).toMatchObject({
      status: 400,
    });
    expect(await ask('alerts/list-alerts', { as: 'admin', body })).toMatchObject({ status: 400 });
  });
});

describe('a note that mentions users', () => {
  it('is mailed once to each of them, and not to its author', async () => {
    const { mid, alertId, ann, bob, analyst } = await merchantWithAlert();
    await person(`merchant-${mid}`, mid);
    await note(alertId, analyst, `@ann, @bob.lee: please look. @ann @merchant-${mid}`);
    const [mail, ...others] = await readMails(mid);
    expect(others).toEqual([]);
    expect(mail).toMatchObject({ kind: 'alert_mention', to: [ann.email, bob.email] });
    expect(letterText(mail?.letter).text).toContain(`/dashboard#/alerts/${alertId}`);
    expect(letterText(mail?.letter).text).toContain('please look.');
  });

  it('is mailed once when it is sent twice under one key', async () => {
    const { mid, alertId, analyst } = await merchantWithAlert();
    const key = { 'idempotency-key': 'a mention' };
    const first = await note(alertId, analyst, 'For @ann', key);
    expect((await note(alertId, analyst, 'For @ann', key)).body).toEqual(first.body);
    expect(await note(alertId, analyst, 'For @bob.lee', key)).toMatchObject({ status: 409 });
    expect(await readMails(mid)).toHaveLength(1);
  });

  it('returns the same and sends no e-mail for users of another merchant, disabled users and unknown names', async () => {
    const { mid, alertId, analyst } = await merchantWithAlert();
    const other = await merchantWithAlert();
    await person(`eve@m${other.mid}`, other.mid);
    await person(`gone@m${mid}`, mid, 'analyst', { disabled: true });
    const shape = ({ status, body }: Awaited<ReturnType<typeof note>>) => ({
      status,
      names: Object.keys(body as object),
    });
    const none = shape(await note(alertId, analyst, '@no-such-user'));
    expect(none).toMatchObject({ status: 200 });
    for (const name of [`eve@m${other.mid}`, 'eve', other.ann.username, `gone@m${mid}`, 'root'])
      expect(shape(await note(alertId, analyst, `Hello @${name}`))).toEqual(none);
    expect(await readMails(mid)).toEqual([]);
    expect(await readMails(other.mid)).toEqual([]);
  });

  it('is mailed as text: markup of the note is escaped', async () => {
    const { mid, alertId, analyst } = await merchantWithAlert();
    await note(alertId, analyst, '@ann <img src=x onerror=alert(1)>');
    const [mail] = await readMails(mid);
    expect(letterText(mail?.letter).html).toContain('&lt;img src=x onerror=alert(1)&gt;');
    expect(letterText(mail?.letter).html).not.toContain('<img src=x');
  });
});

describe('the names in a note', () => {
  it('are found at the beginning of words, without the punctuation of the sentence', () => {
    expect(mentionsIn('@Ann, see (@bob.lee). Mail shop@mail.example or a@@b; @ and @- are none. @ann again')).toEqual([
      'ann',
      'bob.lee',
    ]);
    expect(mentionsIn(Array.from({ length: 50 }, (_, n) => `@user${n}`).join(' '))).toHaveLength(20);
  });

  it('mean a user by username, with or without the suffix, and by a short form only if one user has it', () => {
    const of = (username: string) => ({ username, name: '', email: '', role: 'analyst' });
    const people = [of('ann@m13'), of('bob@shop.example@m13'), of('bob@other.example@m13'), of('cy@shop.example')];
    expect(colleagueNamed('ANN', people)?.username).toBe('ann@m13');
    expect(colleagueNamed('ann@m13', people)?.username).toBe('ann@m13');
    expect(colleagueNamed('bob', people)).toBeUndefined();
    expect(colleagueNamed('bob@other.example', people)?.username).toBe('bob@other.example@m13');
    expect(colleagueNamed('cy', people)?.username).toBe('cy@shop.example');
    expect(colleagueNamed('ann@m1', people)).toBeUndefined();
    expect(mentionedIn('@ann @ann@m13 @ANN', people)).toHaveLength(1);
  });
});
