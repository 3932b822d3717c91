import { SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findDevices, forgetDevice } from '#accounts/auth/users/device-store.ts';
import { newUser } from '#accounts/auth/users/user.ts';
import { toUserItem } from '#accounts/auth/users/user-row.ts';
import { changeUser, findUser, setDisabled } from '#accounts/auth/users/user-store.ts';
import { iso, milliseconds, setClock } from '#core/kernel/clock.ts';
import { newTimedId } from '#core/kernel/ids.ts';
import { isPushEndpoint } from '#core/kernel/push-endpoint.ts';
import { createLetter } from '#core/platform/mail/letter.ts';
import { createMail, type Mail, type MailKind, mailIdOf } from '#core/platform/mail/mail.ts';
import { toMailItem } from '#core/platform/mail/mail-row.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem, putItem, updateItem } from '#core/platform/table/table.ts';
import { type Alert, createAlert } from '#disputes/alerts/alert.ts';
import { alertLetter } from '#disputes/alerts/outbox/alert-mail.ts';
import { blankProviderAlert } from '#disputes/providers/provider-alert.ts';
import type { ProviderAlert } from '#disputes/providers/providers.ts';
import { handler } from '#jobs/send-mail/handler.ts';
import { leaseMail } from '#messaging/mail/mail-store.ts';
import { pushContent, pushWords } from '#messaging/mail/push-text.ts';
import { startPushService } from '#test/support/fake-push-service.ts';
import { ask, useOperations } from '#test/support/operations.ts';
import { alertSite, fakeQueues, sqsEvent } from './support.ts';

useOperations();
process.env['MAIL_FROM'] = 'alerts@forewarn.example';

const ses = mockClient(SESv2Client);
fakeQueues();
let service: Awaited<ReturnType<typeof startPushService>>;
let now = 0;
beforeAll(async () => {
  service = await startPushService();
});
afterAll(() => service.stop());
beforeEach(() => {
  // A subscription's signature is valid by the real clock.
  now = Date.now();
  setClock(() => now);
  ses.reset();
  ses.on(SendEmailCommand).resolves({ MessageId: 'm' });
  service.messages.length = 0;
  service.refusals.length = 0;
  service.answerWith(undefined);
});
afterAll(() => setClock());

let lastMid = 100;
/** `signedInAt`: when the caller's session began (ISO); default: now. */
const settings = (mid: number, body: object, signedInAt = new Date(now).toISOString()) =>
  ask('auth/set-own-settings', { as: { mid, role: 'analyst', signedInAt }, body });

/** The user as whom `ask` calls for a merchant, with an address of its own. */
const signUp = async () => {
  lastMid += 1;
  const mid = lastMid;
  const username = `merchant-${mid}`;
  const email = `ann@${mid}.example`;
  const user = newUser(
    { username, scope: 'merchant', mid, role: 'analyst', name: 'Ann', email },
    new Date(now - 60_000).toISOString(),
  );
  await putItem(toUserItem(user));
  return { mid, username, email };
};

type Devices = { public_key: string; list: { id: string; name: string }[] };
const devicesIn = ({ body }: { body: unknown }) => (body as { devices: Devices }).devices;

/** Turns notifications on in a further browser of a merchant's user. */
const addDevice = async (mid: number, change: object = {}, signedInAt?: string) => {
  const { public_key } = devicesIn(await settings(mid, { device: { action: 'prepare' } }));
  const { device, ...subscription } = service.subscribe(public_key);
  const added = { action: 'add', ...subscription, name: 'Phone', language: 'en', ...change };
  const reply = await settings(mid, { device: added }, signedInAt);
  expect(reply).toMatchObject({ status: 200 });
  return { device, id: devicesIn(reply).list[0]?.id ?? '', ...subscription };
};

const providerAlert: ProviderAlert = {
  ...blankProviderAlert,
  provider: 'provider_a',
  caseId: 'A4IM9K2',
  type: 'FRAUD',
  card: '411111xxxxxx1111',
  transactionAt: '2026-04-30T08:15:00.000Z',
  descriptor: 'SHOP*ONLINE 123',
  amount: '361.56',
  currency: 'USD',
  test: false,
};

type Sent = { kind?: MailKind; mid: number; to: string[]; alert?: Partial<Alert>; test?: boolean; hours?: number };

/** Stores an e-mail about an alert that is due in some hours. */
const store = async ({ kind = 'alert_deadline', mid, to, test = false, hours = 23 }: Sent): Promise<Mail> => {
  const site = { site: { ...alertSite(1, null), mid }, matchedDescriptor: 'SHOP' };
  const created = createAlert(newTimedId(), { ...providerAlert, test }, new Date(now).toISOString(), site);
  const alert = { ...created, deadlineAt: new Date(now + hours * 3_600_000).toISOString() };
  const letter = alertLetter(alert, 'Answer due soon', 'The answer is due soon.');
  const at = new Date(now).toISOString();
  const mail = createMail({ id: mailIdOf(newTimedId()), kind, sid: 1, mid, to, letter, at });
  await putItem(toMailItem(mail));
  return mail;
};
const run = async ({ id }: Mail) => (await handler(sqsEvent([{ mailId: id }]))).batchItemFailures.length;
const readState = async ({ id }: Mail) => (await getItem(keys.mail(id)))?.['state'];

describe('a notification on a device', () => {
  it('shows the amount, the site and the time left, encrypted for the device and signed by its user’s key', async () => {
    const { mid, email } = await signUp();
    const { device } = await addDevice(mid);
    const mail = await store({ mid, to: [email] });
    expect(await run(mail)).toBe(0);
    expect(service.refusals).toEqual([]);
    expect(service.messages).toMatchObject([
      {
        device,
        content: { title: 'Answer due soon', body: '361.56 USD · Shop · 23 h left', tag: mail.id, lang: 'en' },
        claims: { aud: service.url, sub: 'mailto:alerts@forewarn.example' },
        headers: { ttl: '82800', urgency: 'high', 'content-encoding': 'aes128gcm' },
      },
    ]);
    const { path } = service.messages[0]?.content ?? {};
    expect(path).toMatch(/^#\/alerts\/\d+$/);
  });

  it('has nothing of the card, the reason, the descriptor or a note', async () => {
    const { mid, email } = await signUp();
    await addDevice(mid);
    const mail = await store({ mid, to: [email], kind: 'alert_mention' });
    await run(mail);
    const shown = JSON.stringify(service.shown());
    for (const hidden of ['4111', '1111', 'SHOP*ONLINE', 'denies', 'A4IM9K2']) expect(shown).not.toContain(hidden);
  });

  it.each([
    ['new_alert', 'New alert'],
    ['alert_changed', 'Alert changed'],
    ['alert_review', 'Alert to review'],
    ['alert_deadline', 'Answer due soon'],
    ['alert_assigned', 'Alert assigned to you'],
    ['alert_mention', 'You were mentioned'],
  ] as const)('says of %s: %s', async (kind, title) => {
    const { mid, email } = await signUp();
    await addDevice(mid);
    await run(await store({ mid, to: [email], kind }));
    expect(service.shown()).toMatchObject([{ title }]);
  });

  it('says that a deadline has passed, and that an alert is a test', async () => {
    const { mid, email } = await signUp();
    await addDevice(mid);
    await run(await store({ mid, to: [email], hours: -1, test: true }));
    expect(service.shown()).toMatchObject([{ title: '[Test] Deadline passed', body: '361.56 USD · Shop' }]);
  });

  it.each(['de', 'fr', 'es', 'pt'] as const)('is written in the language of the device: %s', async (language) => {
    const { mid, email } = await signUp();
    await addDevice(mid, { language });
    await run(await store({ mid, to: [email], kind: 'new_alert' }));
    const words = pushWords[language];
    const body = `361.56 USD · Shop · ${words?.left.replace('{time}', '23 h')}`;
    expect(service.shown()).toMatchObject([{ title: words?.newAlert, body, lang: language }]);
    expect(Object.keys(words ?? {})).toEqual(Object.keys(pushWords['en'] ?? {}));
    expect(words?.newAlert).not.toBe(pushWords['en']?.newAlert);
  });

  it('is not sent for e-mails that can wait', async () => {
    const { mid, email } = await signUp();
    await addDevice(mid);
    for (const kind of ['alert_digest', 'chargeback_raised', 'payment_made'] as const) {
      await run(await store({ mid, to: [email], kind }));
    }
    expect(service.messages).toEqual([]);
  });
});

describe('the time left on a device', () => {
  const at = '2026-05-02T10:00:00.000Z';
  const bodyOf = (minutes: number) => {
    const notice = { amount: '5.00 USD', site: 'Shop', isTest: false };
    const dueAt = iso(Date.parse(at) + minutes * milliseconds.minute);
    const link = { path: '#/alerts/7', words: 'Open the alert' };
    const letter = {
      ...createLetter({ subject: '', kicker: '', heading: '', lead: '', rows: [] }),
      notice,
      dueAt,
      link,
    };
    return pushContent({ id: 'eml_1', kind: 'new_alert' }, letter, 'en', at)?.body;
  };

  it.each([
    [150, '2 h 30 min'],
    [120, '2 h'],
    [30, '30 min'],
    [0.5, '0 min'],
  ])('of %d minutes is %s', (minutes, words) =>
    expect(bodyOf(minutes)).toMatch(new RegExp(`· (?:\\D* )?${words}(?: \\D*)?$`)),
  );

  it.each([0, -5])('is left out when the deadline is %d minutes ahead', (minutes) =>
    expect(bodyOf(minutes)).toBe('5.00 USD · Shop'),
  );
});

describe('the devices that are notified', () => {
  it('are those of the users who get the e-mail, and of no other user or merchant', async () => {
    const [ann, eve] = [await signUp(), await signUp()];
    const hers = await addDevice(ann.mid);
    await addDevice(eve.mid);
    // Another merchant's user with the same address.
    const user = await findUser(eve.username);
    if (user) await changeUser(user, { ...user, email: ann.email });
    await run(await store({ mid: ann.mid, to: [ann.email] }));
    expect(service.messages.map(({ device }) => device)).toEqual([hers.device]);
    await run(await store({ mid: ann.mid, to: ['another@shop.example'] }));
    expect(service.messages).toHaveLength(1);
  });

  it('show no single alerts to a user who chose one e-mail a day, but warnings', async () => {
    const { mid, email } = await signUp();
    await addDevice(mid);
    await settings(mid, { alert_emails: 'daily' });
    await run(await store({ mid, to: [email], kind: 'new_alert' }));
    expect(service.messages).toEqual([]);
    await run(await store({ mid, to: [email], kind: 'alert_deadline' }));
    expect(service.messages).toHaveLength(1);
  });

  it('show nothing once their user was disabled, and nothing again without a new sign-in', async () => {
    const { mid, username, email } = await signUp();
    await addDevice(mid);
    now += 1000;
    await setDisabled(username, true);
    await run(await store({ mid, to: [email] }));
    await setDisabled(username, false);
    await run(await store({ mid, to: [email] }));
    expect(service.messages).toEqual([]);
    expect(devicesIn(await settings(mid, {})).list).toEqual([]);
    now += 1000;
    await addDevice(mid);
    await run(await store({ mid, to: [email] }));
    expect(service.messages).toHaveLength(1);
    expect((await findDevices(username))?.list).toHaveLength(1);
  });

  it('do not include one that was added in a session after it had been ended', async () => {
    const { mid, username, email } = await signUp();
    const signedInAt = new Date(now).toISOString();
    now += 1000;
    const user = (await findUser(username)) ?? expect.fail('There is no user');
    await changeUser(user, { ...user, sessionsEndedAt: new Date(now).toISOString() });
    now += 1000;
    await addDevice(mid, {}, signedInAt);
    await run(await store({ mid, to: [email] }));
    expect(service.messages).toEqual([]);
    expect(devicesIn(await settings(mid, {})).list).toEqual([]);
  });

  it('are forgotten once the push service says that they are gone', async () => {
    const { mid, username, email } = await signUp();
    const [gone, left] = [await addDevice(mid), await addDevice(mid)];
    service.end(gone.device);
    const mail = await store({ mid, to: [email] });
    expect(await run(mail)).toBe(0);
    expect(await readState(mail)).toBe('SENT');
    expect((await findDevices(username))?.list.map(({ endpoint }) => endpoint)).toEqual([left.endpoint]);
    const before = await findDevices(username);
    await forgetDevice(username, gone.id);
    expect(await findDevices(username)).toEqual(before);
    await forgetDevice('has-no-devices', gone.id);
    expect(await findDevices('has-no-devices')).toBeUndefined();
  });

  it.each([429, 500, 403, 301])('stay after a %d, and the e-mail is still sent once', async (status) => {
    const { mid, username, email } = await signUp();
    await addDevice(mid);
    service.answerWith(status);
    const mail = await store({ mid, to: [email] });
    expect(await run(mail)).toBe(0);
    expect(await readState(mail)).toBe('SENT');
    expect((await findDevices(username))?.list).toHaveLength(1);
    expect(ses.commandCalls(SendEmailCommand)).toHaveLength(1);
  });

  it('stay while the push service cannot be reached', async () => {
    const { mid, username, email } = await signUp();
    await addDevice(mid, { endpoint: 'http://127.0.0.1:1/push/x' });
    const mail = await store({ mid, to: [email] });
    expect(await run(mail)).toBe(0);
    expect(await readState(mail)).toBe('SENT');
    expect((await findDevices(username))?.list).toHaveLength(1);
  });
});

describe('an e-mail that is sent in several goes', () => {
  it('is shown once on each device, though the mail service refuses at first', async () => {
    const { mid, email } = await signUp();
    await addDevice(mid);
    ses.on(SendEmailCommand).rejectsOnce(new Error('down')).rejectsOnce(new Error('down')).resolves({ MessageId: 'm' });
    const mail = await store({ mid, to: [email] });
    expect(await run(mail)).toBe(1);
    expect(await run(mail)).toBe(1);
    expect(await run(mail)).toBe(0);
    expect(await run(mail)).toBe(0);
    expect(service.messages).toHaveLength(1);
    expect(await readState(mail)).toBe('SENT');
  });

  it('is one notification on the device after the worker was killed before it could record it', async () => {
    const { mid, email } = await signUp();
    await addDevice(mid);
    const mail = await store({ mid, to: [email] });
    expect(await run(mail)).toBe(0);
    // As the killed worker leaves it: leased, with nothing recorded.
    await putItem(toMailItem(mail));
    await leaseMail(mail.id, 'killed');
    expect(await run(mail)).toBe(1);
    now += 31_000;
    expect(await run(mail)).toBe(0);
    expect(service.messages).toHaveLength(2);
    expect(service.shown()).toHaveLength(1);
    expect(new Set(service.messages.map(({ content }) => content['tag']))).toEqual(new Set([mail.id]));
  });
});

describe('the devices in one’s own settings', () => {
  it('are added, listed newest first without addresses and keys, and removed', async () => {
    const { mid, username } = await signUp();
    expect(devicesIn(await settings(mid, {}))).toEqual({ public_key: null, list: [] });
    await addDevice(mid, { name: 'Phone' });
    now += 1;
    const { id } = await addDevice(mid, { name: 'Laptop' });
    const reply = await settings(mid, {});
    expect(devicesIn(reply).list.map(({ name }) => name)).toEqual(['Laptop', 'Phone']);
    expect(JSON.stringify(reply.body)).not.toContain('127.0.0.1');
    expect((await findDevices(username))?.sealed).toMatch(/^k1\./);
    await settings(mid, { device: { action: 'remove', id } });
    await settings(mid, { device: { action: 'remove', id } });
    expect(devicesIn(await settings(mid, {})).list.map(({ name }) => name)).toEqual(['Phone']);
  });

  it('keep their key, and are one for each browser', async () => {
    const { mid } = await signUp();
    const { device: _, id: __, ...same } = await addDevice(mid);
    const before = devicesIn(await settings(mid, { device: { action: 'prepare' } }));
    const again = { action: 'add', ...same, name: 'Renamed', language: 'de' };
    const after = devicesIn(await settings(mid, { device: again }));
    expect(after.public_key).toBe(before.public_key);
    expect(after.list).toMatchObject([{ name: 'Renamed' }]);
  });

  it('are ten at most: one more replaces the oldest', async () => {
    const { mid } = await signUp();
    for (let number = 1; number <= 11; number += 1) {
      now += 1;
      await addDevice(mid, { name: `Device ${number}` });
    }
    const names = devicesIn(await settings(mid, {})).list.map(({ name }) => name);
    expect(names).toHaveLength(10);
    expect([names[0], names[9]]).toEqual(['Device 11', 'Device 2']);
  });

  it('cannot be removed by another merchant’s user', async () => {
    const [ann, eve] = [await signUp(), await signUp()];
    const { id } = await addDevice(ann.mid);
    await addDevice(eve.mid);
    await settings(eve.mid, { device: { action: 'remove', id } });
    expect((await findDevices(ann.username))?.list).toHaveLength(1);
    expect((await findDevices(eve.username))?.list).toHaveLength(1);
  });

  it('are not those of a browser that another user has subscribed', async () => {
    const [ann, eve] = [await signUp(), await signUp()];
    const { device: _, id: __, ...hers } = await addDevice(ann.mid);
    await settings(eve.mid, { device: { action: 'add', ...hers, name: 'Stolen', language: 'en' } });
    await run(await store({ mid: eve.mid, to: [eve.email] }));
    expect(service.messages).toEqual([]);
    expect(service.refusals).toEqual([expect.stringContaining('Another key')]);
  });

  it('are all stored when three are added at the same time', async () => {
    const { mid, username } = await signUp();
    await settings(mid, { device: { action: 'prepare' } });
    const { public_key } = devicesIn(await settings(mid, {}));
    const add = () => {
      const { device: _, ...subscription } = service.subscribe(public_key);
      return settings(mid, { device: { action: 'add', ...subscription, name: 'Phone', language: 'en' } });
    };
    const replies = await Promise.all([add(), add(), add()]);
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await findDevices(username))?.list).toHaveLength(3);
  });
});

describe('an address of a device', () => {
  const deployed = { allowLoopbackHttp: false, extraPorts: [] };
  it.each([
    'https://fcm.googleapis.com/fcm/send/abc:def',
    'https://updates.push.services.mozilla.com/wpush/v2/gAAA',
    'https://wns2-par02p.notify.windows.com/w/?token=BQYAAA',
    'https://web.push.apple.com/QGuQyavXutnMH',
  ])('may be %s', (text) => expect(isPushEndpoint(text, deployed)).toBe(true));

  it.each([
    'http://fcm.googleapis.com/fcm/send/abc',
    'https://fcm.googleapis.com.evil.example/fcm/send/abc',
    'https://evilfcm.googleapis.com/x',
    'https://fcm.googleapis.com:8080/x',
    'https://user@fcm.googleapis.com/x',
    'https://169.254.169.254/latest/meta-data',
    'https://10.0.0.1/',
    'http://127.0.0.1:8000/',
    'https://localhost/',
    'https://shop.example/hook',
    'file:///etc/passwd',
    '',
  ])('must not be %s', (text) => expect(isPushEndpoint(text, deployed)).toBe(false));

  it('is checked again before it is called', async () => {
    const { mid, username, email } = await signUp();
    await addDevice(mid);
    await updateItem({
      Key: keys.devices(username),
      UpdateExpression: 'SET devices.#list[0].endpoint = :endpoint',
      ExpressionAttributeNames: { '#list': 'list' },
      ExpressionAttributeValues: { ':endpoint': 'https://10.0.0.1/push' },
    });
    const mail = await store({ mid, to: [email] });
    expect(await run(mail)).toBe(0);
    expect(await readState(mail)).toBe('SENT');
    expect((await findDevices(username))?.list).toEqual([]);
  });
});
