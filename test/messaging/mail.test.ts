import { GetSuppressedDestinationCommand, SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { newPushKeys } from '#accounts/auth/sessions/session-secrets.ts';
import { devicesContext } from '#accounts/auth/users/device.ts';
import { devicesWrite } from '#accounts/auth/users/device-row.ts';
import { reportsMessage } from '#accounts/auth/users/monthly-report-due.ts';
import { newUser, type User } from '#accounts/auth/users/user.ts';
import { toUserItem } from '#accounts/auth/users/user-row.ts';
import { seal } from '#core/kernel/crypto.ts';
import { newTimedId } from '#core/kernel/ids.ts';
import { createMail, type Mail, newAlertMailId } from '#core/platform/mail/mail.ts';
import { readMailFaults } from '#core/platform/mail/mail-address-store.ts';
import { toMailItem } from '#core/platform/mail/mail-row.ts';
import { keyRing } from '#core/platform/secrets/secrets.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem, putItem, transact } from '#core/platform/table/table.ts';
import { type Alert, createAlert } from '#disputes/alerts/alert.ts';
import { toAlertItem } from '#disputes/alerts/alert-row.ts';
import type { DecisionResult } from '#disputes/alerts/automatic/automatic.ts';
import { newAlertMail } from '#disputes/alerts/outbox/alert-mail.ts';
import { blankProviderAlert } from '#disputes/providers/provider-alert.ts';
import type { ProviderAlert } from '#disputes/providers/providers.ts';
import { handler } from '#jobs/send-mail/handler.ts';
import { sendMailWorker } from '#jobs/send-mail/worker.ts';
import { leaseMail } from '#messaging/mail/mail-store.ts';
import { aRule } from '#test/disputes/rules/samples.ts';
import { letterText } from '#test/support/letters.ts';
import { useTable } from '#test/support/table.ts';
import { alertSite, clockAt, fakeQueues, grantedActions, sqsEvent, watchTable } from './support.ts';

useTable();
process.env['MAIL_FROM'] = 'alerts@forewarn.example';

const createdAt = '2026-05-02T10:00:00.000Z';
const ses = mockClient(SESv2Client);
const queues = fakeQueues();
beforeEach(() => {
  queues.sent.length = 0;
  queues.refuse(() => false);
  clockAt(createdAt);
  ses.reset();
  ses.on(SendEmailCommand).resolves({ MessageId: 'm' });
  ses.on(GetSuppressedDestinationCommand).rejects(namedError('NotFoundException'));
});
const namedError = (name: string) => Object.assign(new Error('refused by SES'), { name });

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
  arn: '24692161070000622606414',
  test: false,
};
const mailAlert = (change: Partial<ProviderAlert> = {}) =>
  createAlert(newTimedId(), { ...providerAlert, ...change }, createdAt, {
    site: alertSite(1, null),
    matchedDescriptor: 'SHOP',
  });

const person = (username: string, mid: number, email: string) =>
  ({ username, scope: 'merchant', mid, role: 'analyst', name: username, email }) as const;

const store = async (to: string[] = ['a@merchant.example', 'b@merchant.example'], change: Partial<Mail> = {}) => {
  const alert = mailAlert();
  await putItem(toAlertItem(alert));
  const { alertId } = alert;
  const mail = createMail({
    id: newAlertMailId(alertId),
    kind: 'new_alert',
    sid: 1,
    mid: 1,
    alertId,
    to,
    at: createdAt,
  });
  await putItem(toMailItem({ ...mail, ...change }));
  return mail;
};
const run = async ({ id }: Mail) => (await handler(sqsEvent([{ mailId: id }]))).batchItemFailures.length;
const row = ({ id }: Mail) => getItem(keys.mail(id));
const receivers = () =>
  ses.commandCalls(SendEmailCommand).flatMap(({ args }) => args[0].input.Destination?.ToAddresses ?? []);

describe('what a new alert says', () => {
  const alert = mailAlert({
    descriptor: '<b>SHOP</b> & "co"',
    issuerName: 'Bank 4111 1111 1111 1111\r\nBcc: x@evil.example',
  });
  const { subject, text, html } = letterText(newAlertMail(alert));

  it('is the same as plain text and as HTML', () => {
    for (const part of [text, html]) {
      for (const value of [
        String(alert.alertId),
        '361.56 USD',
        '4111 11•• •••• 1111',
        '24692161070000622606414',
        '3 May 2026, 10:00 UTC',
        'find the transaction, then refund it or decline',
        'Shop',
        'Cardholder denies purchase',
      ])
        expect(part).toContain(value);
    }
  });

  it('has no markup of a provider in its HTML', () => {
    expect(html).toContain('&lt;b&gt;SHOP&lt;/b&gt; &amp; &quot;co&quot;');
    expect(html).not.toContain('<b>');
  });

  it('shows no whole card number, whatever field contains it', () => {
    expect(text + html).not.toMatch(/4111 ?1111 ?1111 ?1111/);
    expect(text).toContain('411111******1111');
  });

  const decided = (result: DecisionResult, change: Partial<Alert>, reason: string | null = null): Alert => {
    const rule = { ...aRule(), ruleId: 7, facts: {} };
    const decision = { ...rule, name: 'Small ones', result, reason };
    const automatic = { decision, shadows: [], transaction: null, refund: null, potentialMatches: null };
    return { ...mailAlert(), ...change, automatic };
  };
  const answered = (status: 'RESOLVED' | 'DECLINED', reason_code: string) =>
    ({ status, action: status, update: { status, reason_code } }) as const;
  const rdr = (decision: 'ACCEPTED' | 'DECLINED') => mailAlert({ type: 'DISPUTE_RDR', decision });
  it.each([
    ['refunded', decided('refunded', answered('RESOLVED', '100.001')), 'nothing: rule 7 (Small ones) has refunded'],
    ['resolved', decided('resolved', answered('RESOLVED', '951.001'), 'already_refunded'), '951.001, already refunded'],
    ['declined', decided('declined', answered('DECLINED', '902.002')), 'has answered the alert with 902.002'],
    ['refund_pending', decided('refund_pending', { status: 'WIP', action: 'MATCHED' }), 'nothing yet: rule 7'],
    ['left', decided('left_to_merchant', { action: 'MATCHED' }, 'daily_cap'), 'did not, daily cap'],
    ['accepted by RDR', rdr('ACCEPTED'), 'nothing: the network has refunded it'],
    ['declined by RDR', rdr('DECLINED'), 'a chargeback may follow'],
  ])('tells what is still to be done of one that is %s, and by when if at all', (_, of, words) => {
    const { text: said } = letterText(newAlertMail(of));
    expect(said).toContain(words);
    expect(said.includes('Answer by')).toBe(of.status === 'OPEN' || of.status === 'WIP');
  });

  it.each(['RESOLVED', 'DECLINED'] as const)('asks for nothing of one that was %s before it was sent', (status) => {
    const update = { status, reason_code: '902.002' };
    for (const of of [mailAlert(), decided('left_to_merchant', { action: 'MATCHED' }, 'daily_cap')]) {
      const { text: said } = letterText(newAlertMail({ ...of, status, update }));
      expect(said).toMatch(/What to do: +nothing: the alert is answered/);
      expect(said).not.toContain('Answer by');
    }
  });

  it('refuses line breaks in text or subject', () => {
    expect(text).not.toMatch(/^Bcc:/m);
    expect(letterText(newAlertMail(mailAlert({ descriptor: 'SHOP\r\nBcc: x@evil.example' }))).subject).not.toMatch(
      /[\r\n]/,
    );
    expect(subject).toContain('Fraud alert: 361.56 USD');
  });

  it('has a subject that is cut between characters, not within one', () => {
    for (const filler of ['', 'x']) {
      const { subject: long } = letterText(newAlertMail(mailAlert({ descriptor: filler + '\u{1f6d2}'.repeat(99) })));
      expect(long.length).toBeLessThanOrEqual(200);
      expect(long.isWellFormed()).toBe(true);
    }
  });

  it('says so if it is only a test', () => {
    const test = letterText(newAlertMail(mailAlert({ test: true })));
    expect(test.subject).toMatch(/^\[Test\] /);
    expect(test.text).toContain('no cardholder has disputed anything');
  });
});

describe('an e-mail', () => {
  it('goes to each receiver alone, once, from our address, and is then forgotten in time', async () => {
    const mail = await store();
    expect(await run(mail)).toBe(0);
    expect(await run(mail)).toBe(0);
    expect(receivers().sort()).toEqual(mail.to);
    expect(ses.commandCalls(SendEmailCommand)[0]?.args[0].input.FromEmailAddress).toBe('alerts@forewarn.example');
    const item = await row(mail);
    expect(item).toMatchObject({ state: 'SENT', ttl: Date.parse('2026-06-01T10:00:00Z') / 1000 });
    expect(item).not.toHaveProperty('duePk');
  });

  it('states times in the zone of the user who has the address, and in UTC for others', async () => {
    const user = { ...newUser(person('ann', 1, 'b@merchant.example'), createdAt), zone: 'Asia/Tokyo' };
    await putItem(toUserItem(user));
    // A user of another merchant with the same address does not count.
    const other = { ...newUser(person('eve', 2, 'a@merchant.example'), createdAt), zone: 'America/New_York' };
    await putItem(toUserItem(other));
    await run(await store());
    const texts = new Map(
      ses
        .commandCalls(SendEmailCommand)
        .map(({ args: [{ input }] }) => [input.Destination?.ToAddresses?.[0], input.Content?.Simple?.Body?.Text?.Data]),
    );
    expect(texts.get('b@merchant.example')).toContain('3 May 2026, 19:00 GMT+9 (24 h left)');
    expect(texts.get('a@merchant.example')).toContain('3 May 2026, 10:00 UTC (24 h left)');
  });

  it('about a new or changed alert is left to the digest of users who chose one, and warnings are not', async () => {
    const user = { ...newUser(person('digested', 1, 'daily@merchant.example'), createdAt), digest: true as const };
    await putItem(toUserItem(user));
    const to = ['daily@merchant.example', 'each@merchant.example'];
    for (const kind of ['new_alert', 'alert_changed', 'alert_review', 'alert_deadline', 'alert_mention'] as const) {
      ses.resetHistory();
      const mail = await store(to, { kind, letter: newAlertMail(mailAlert()) });
      expect(await run(mail)).toBe(0);
      expect(await row(mail)).toMatchObject({ state: 'SENT' });
      const isUrgent = kind === 'alert_deadline' || kind === 'alert_mention';
      expect(receivers().sort(), kind).toEqual(isUrgent ? to : ['each@merchant.example']);
    }
  });

  it('reaches an address that two users share while one of them wants single e-mails', async () => {
    const shared = 'team@merchant.example';
    const daily = { ...newUser(person('one', 1, shared), createdAt), digest: true as const };
    await putItem(toUserItem(daily));
    await putItem(toUserItem(newUser(person('two', 1, shared), createdAt)));
    await run(await store([shared]));
    expect(receivers()).toEqual([shared]);
  });

  it('that SES refuses is sent again, only to the recipients who did not receive it', async () => {
    ses
      .on(SendEmailCommand, { Destination: { ToAddresses: ['b@merchant.example'] } })
      .rejectsOnce(new Error('throttled'));
    const mail = await store();
    expect(await run(mail)).toBe(1);
    expect(await row(mail)).toMatchObject({ state: 'PENDING', duePk: expect.anything() });
    expect(await run(mail)).toBe(0);
    expect(receivers().sort()).toEqual(['a@merchant.example', 'b@merchant.example', 'b@merchant.example']);
    expect(await row(mail)).toMatchObject({ state: 'SENT' });
  });

  describe('that comes while SES wants less of them', () => {
    const refused = (name: string) => Object.assign(new Error('Maximum sending rate exceeded.'), { name });
    const slower = (name = 'TooManyRequestsException') => ses.on(SendEmailCommand).rejects(refused(name));
    const waiting = () => queues.sent.filter(({ queue }) => queue === 'mail');

    it.each(['TooManyRequestsException', 'LimitExceededException', 'ThrottlingException'])(
      'waits in its queue, and has not failed (%s)',
      async (name) => {
        slower(name);
        const mail = await store();
        expect(await run(mail)).toBe(0);
        expect(waiting()).toMatchObject([{ body: { mailId: mail.id }, delay: expect.any(Number) }]);
        expect(await row(mail)).toMatchObject({ state: 'PENDING', sentTo: [], duePk: expect.anything() });
        ses.on(SendEmailCommand).resolves({ MessageId: 'm' });
        expect(await run(mail)).toBe(0);
        expect(await row(mail)).toMatchObject({ state: 'SENT' });
      },
    );

    it('is not sent again to those who have it', async () => {
      ses
        .on(SendEmailCommand, { Destination: { ToAddresses: ['b@merchant.example'] } })
        .rejectsOnce(refused('TooManyRequestsException'));
      const mail = await store();
      expect(await run(mail)).toBe(0);
      expect(await row(mail)).toMatchObject({ state: 'PENDING', sentTo: ['a@merchant.example'] });
      expect(await run(mail)).toBe(0);
      expect(receivers().sort()).toEqual(['a@merchant.example', 'b@merchant.example', 'b@merchant.example']);
    });

    it('is retried neither at the same moment as all the others, nor so late that it seems forgotten', async () => {
      slower();
      for (let n = 0; n < 30; n += 1) await run(await store(['a@merchant.example']));
      const delays = waiting().map(({ delay }) => Number(delay));
      expect(delays).toHaveLength(30);
      expect(new Set(delays).size).toBeGreaterThan(15);
      expect(Math.min(...delays)).toBeGreaterThanOrEqual(30);
      expect(Math.max(...delays)).toBeLessThanOrEqual(300);
    });

    it('has failed if the queue does not take it again', async () => {
      slower();
      queues.refuse(() => true);
      const mail = await store();
      expect(await run(mail)).toBe(1);
      expect(await row(mail)).toMatchObject({ state: 'PENDING' });
    });

    it('has failed where SES has another reason', async () => {
      slower();
      ses
        .on(SendEmailCommand, { Destination: { ToAddresses: ['b@merchant.example'] } })
        .rejects(refused('MessageRejected'));
      expect(await run(await store())).toBe(1);
      expect(waiting()).toEqual([]);
    });

    it('expires after 72 hours in any case', async () => {
      slower();
      const mail = await store();
      expect(await run(mail)).toBe(0);
      clockAt('2026-05-05T12:00:00.000Z');
      expect(await run(mail)).toBe(0);
      expect(await row(mail)).toMatchObject({ state: 'FAILED' });
      expect(waiting()).toHaveLength(1);
    });
  });

  it('that another process is sending waits for that process', async () => {
    const mail = await store();
    await leaseMail(mail.id, 'the one that crashes');
    const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    expect(await run(mail)).toBe(1);
    const lines = write.mock.calls.map(([line]) => JSON.parse(String(line)));
    write.mockRestore();
    // Nothing failed, so nothing is logged at a level that alerts a person.
    expect(lines).toMatchObject([
      { level: 'info', event: 'message_comes_again', error: { name: 'MailInProgressError' } },
    ]);
    expect(receivers()).toEqual([]);
    clockAt('2026-05-02T10:00:31.000Z');
    expect(await run(mail)).toBe(0);
    expect(await row(mail)).toMatchObject({ state: 'SENT' });
  });

  it('that could not be sent for 72 hours is given up', async () => {
    const mail = await store();
    clockAt('2026-05-05T12:00:00.000Z');
    expect(await run(mail)).toBe(0);
    expect(receivers()).toEqual([]);
    expect(await row(mail)).toMatchObject({ state: 'FAILED' });
  });

  it("that does not exist is answered like another merchant's", async () => {
    expect((await handler(sqsEvent([{ mailId: 'eml_none' }]))).batchItemFailures).toEqual([]);
  });
});

const aUser = (username: string, change: Partial<User> = {}): User => ({
  ...newUser(
    { username, scope: 'merchant', mid: 40, role: 'manager', name: '', email: `${username}@m.example` },
    createdAt,
  ),
  ...change,
});

describe('an e-mail to the managers', () => {
  it('goes to those who are managers of the merchant when it is sent, and to the addresses that were removed', async () => {
    const others = [
      aUser('analyst', { role: 'analyst' }),
      aUser('gone', { disabled: true }),
      aUser('silent', { email: '' }),
      aUser('other', { mid: 41 }),
    ];
    for (const user of [aUser('ann'), aUser('bob'), ...others]) await putItem(toUserItem(user));
    const mail = await store(['old@m.example', 'ann@m.example'], { mid: 40, toManagers: true });
    expect((await handler(sqsEvent([{ mailId: mail.id }]))).batchItemFailures).toEqual([]);
    expect(receivers().sort()).toEqual(['ann@m.example', 'bob@m.example', 'old@m.example']);
    expect(await row(mail)).toMatchObject({ state: 'SENT' });
  });
});

it('needs just what it is granted', async () => {
  const manager = { ...person('watched', 77, 'm@merchant.example'), role: 'manager' } as const;
  await putItem(toUserItem(newUser(manager, createdAt)));
  const sealed = seal(await keyRing('encryption'), devicesContext('watched'), newPushKeys().privateKey);
  const keysOfDevice = { p256dh: '', auth: '', language: 'en' } as const;
  const device = {
    id: 'one',
    name: 'One',
    endpoint: 'https://10.0.0.1/',
    ...keysOfDevice,
    createdAt,
    signedInAt: createdAt,
  };
  await transact({
    devices: [devicesWrite(undefined, { username: 'watched', publicKey: '', sealed, list: [device] })],
  });
  const mail = await store([], { toManagers: true, mid: 77 });
  const watch = watchTable();
  await handler(sqsEvent([{ mailId: mail.id }, reportsMessage(null)]));
  watch.stop();
  expect(watch.actions).toEqual(grantedActions(sendMailWorker.grants));
});

describe('an address to which e-mails do not arrive', () => {
  let tests = 0;
  let address = '';
  beforeEach(() => {
    tests += 1;
    address = `Reader${tests}@merchant.example`;
  });
  const known = () => readMailFaults([address, address.toLowerCase(), '']);
  const later = (hours: number) => clockAt(new Date(Date.parse(createdAt) + hours * 3_600_000).toISOString());
  const suppress = (Reason: 'BOUNCE' | 'COMPLAINT') =>
    ses.on(GetSuppressedDestinationCommand).resolves({
      SuppressedDestination: { EmailAddress: address, Reason, LastUpdateTime: new Date('2026-04-30T08:00:00.000Z') },
    });
  const asked = () => ses.commandCalls(GetSuppressedDestinationCommand).length;
  const send = async () => run(await store([address], { expiresAt: '2027-01-01T00:00:00.000Z' }));

  it.each([
    ['bounced', 'BOUNCE'],
    ['complained', 'COMPLAINT'],
  ] as const)('is known from the suppression list of SES (%s), and asked for once a day', async (reason, listed) => {
    suppress(listed);
    expect([await send(), await send(), asked()]).toEqual([0, 0, 1]);
    expect(await known()).toEqual([{ email: address.toLowerCase(), reason, at: '2026-04-30T08:00:00.000Z' }]);
    later(25);
    ses.on(GetSuppressedDestinationCommand).rejects(namedError('NotFoundException'));
    expect(await send()).toBe(0);
    expect(await known()).toEqual([]);
  });

  it.each(['MessageRejected', 'BadRequestException'])(
    'is known from a refusal (%s) until one is taken',
    async (name) => {
      ses.on(SendEmailCommand).rejects(namedError(name));
      expect(await send()).toBe(1);
      expect(await known()).toEqual([{ email: address.toLowerCase(), reason: 'refused', at: createdAt }]);
      ses.on(SendEmailCommand).resolves({ MessageId: 'm' });
      expect(await send()).toBe(0);
      expect(await known()).toEqual([]);
    },
  );

  it.each(['TooManyRequestsException', 'InternalServiceErrorException', 'AccessDeniedException'])(
    'is not known, and its e-mail is sent, where SES does not tell (%s)',
    async (name) => {
      ses.on(GetSuppressedDestinationCommand).rejects(namedError(name));
      expect([await send(), await known()]).toEqual([0, []]);
    },
  );

  it('is not taken for faulty when SES wants less, or is down', async () => {
    for (const name of ['TooManyRequestsException', 'TimeoutError', 'AccountSuspendedException']) {
      ses.on(SendEmailCommand).rejectsOnce(namedError(name));
      await send();
    }
    expect(await known()).toEqual([]);
  });
});
