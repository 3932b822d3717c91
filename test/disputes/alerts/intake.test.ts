import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { milliseconds, setClock } from '#core/kernel/clock.ts';
import { newTimedId } from '#core/kernel/ids.ts';
import { reviewMailId } from '#core/platform/mail/mail.ts';
import { fromMailItem } from '#core/platform/mail/mail-row.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem, getItems, putItem, queryItems } from '#core/platform/table/table.ts';
import { disputeCaseIdOf } from '#disputes/alerts/alert.ts';
import { receiveProviderAOperation } from '#disputes/alerts/api/receive-provider-a/operation.ts';
import { receiveProviderBOperation } from '#disputes/alerts/api/receive-provider-b/operation.ts';
import { receiveRdrOperation } from '#disputes/alerts/api/receive-rdr/operation.ts';
import { newAlertMail } from '#disputes/alerts/outbox/alert-mail.ts';
import { informKey } from '#disputes/alerts/search/inform-row.ts';
import { toDeliveryItem } from '#messaging/webhooks/delivery/delivery-row.ts';
import { makeArn } from '#test/support/arns.ts';
import { letterText } from '#test/support/letters.ts';
import { ask, expectDeclared, useOperations } from '#test/support/operations.ts';
import { bodyA, settings } from './samples.ts';
import {
  alertAt,
  callsDuring,
  deliveriesAt,
  formFields,
  fresh,
  makeRcode,
  noticesAt,
  seedClaims,
  seedSite,
  send,
  sendBody,
  signBody,
  take,
} from './seed.ts';

useOperations();
afterEach(() => setClock());

/** A site that alone claims a descriptor of its own, and what to send so that it gets the alert. */
const enrolled = async (change: Parameters<typeof seedSite>[0] = {}) => {
  const site = await seedSite(change);
  const descriptor = `SHOP ${site.sid}`;
  await Promise.all(['provider_a', 'provider_b', 'rdr'].map((name) => seedClaims(name, 'EXACT', descriptor, site)));
  const number = () => makeArn(fresh());
  const a = (more = {}) => ({ alertId: `A${fresh()}`, merchantDescriptor: descriptor, arn: number(), ...more });
  const b = (more = {}) => ({ caseId: `B${fresh()}`, descriptor, arn: number(), ...more });
  const rdr = (more = {}) => ({ decisionId: `R${fresh()}`, paymentDescriptor: descriptor, arn: number(), ...more });
  return { site, descriptor, a, b, rdr };
};

describe('an alert that comes in', () => {
  it('is stored with all notifications to its owner, in three calls', async () => {
    const { site, descriptor, a } = await enrolled();
    const sent = a();
    let taken: Awaited<ReturnType<typeof take>> | undefined;
    expect(await callsDuring(async () => (taken = await take('provider_a', sent)))).toBeLessThanOrEqual(3);
    const { alert_id = 0, ...rest } = taken ?? {};
    expect(rest).toEqual({ is_duplicate: false, matched: true });
    expect(await alertAt(alert_id)).toMatchObject({
      status: 'OPEN',
      owner: { sid: site.sid, matchedDescriptor: descriptor },
      providerAlert: { caseId: sent.alertId, type: 'FRAUD' },
    });
    const { delivery, mail } = await noticesAt(alert_id);
    expect(delivery).toMatchObject({ kind: 'new_alert', state: 'PENDING', sid: site.sid, alertId: alert_id });
    expect(formFields(delivery?.body)).toMatchObject({ alert_id: String(alert_id), sid: String(site.sid) });
    expect(mail).toMatchObject({ state: 'PENDING', to: ['ops@merchant.example'], alertId: alert_id });
    const { items } = await queryItems({
      KeyConditionExpression: 'pk = :pk AND begins_with(sk, :history)',
      ExpressionAttributeValues: { ':pk': keys.alert(alert_id).pk, ':history': 'HISTORY#' },
    });
    expect(items).toMatchObject([{ by: 'provider_a', via: 'intake', change: { event: 'received' } }]);
  });

  it('is matched whatever the spaces and capitals of its descriptor', async () => {
    const { descriptor, a } = await enrolled();
    const merchantDescriptor = `  ${descriptor.toLowerCase().replace(' ', '   ')} `;
    expect(await take('provider_a', a({ merchantDescriptor }))).toMatchObject({ matched: true });
  });

  it('sends no notification to a merchant who configured none', async () => {
    const { a } = await enrolled({ alert: settings({ alertapiurl: null, alert_triggeremail: false }) });
    const { alert_id } = await take('provider_a', a());
    const { delivery, mail } = await noticesAt(alert_id);
    expect(delivery).toMatchObject({ state: 'CANCELLED', nextAttemptAt: null });
    expect(mail).toBeUndefined();
  });

  it('is mailed to reviewers once if its network did not refund it', async () => {
    const reviewers = ['ops@merchant.example', 'review@merchant.example'];
    const { rdr, b } = await enrolled({ alert: settings({ shieldrdr_review_email: reviewers }) });
    const reviewOf = async (alertId: number) => {
      const item = await getItem(keys.mail(reviewMailId(alertId)));
      return item && fromMailItem(item);
    };
    const money = { caseAmount: '7.50', caseCurrency: 'EUR' };
    const declined = await take('rdr', rdr({ decision: 'DECLINED', declineCode: 'AMOUNT_LIMIT', ...money }));
    const mail = await reviewOf(declined.alert_id);
    expect(mail).toMatchObject({ kind: 'alert_review', to: ['review@merchant.example'], state: 'PENDING' });
    expect(letterText(mail?.letter).text).toMatch(/RDR reason: +AMOUNT_LIMIT/);
    expect(letterText(mail?.letter).text).toMatch(/Disputed amount: +7.50 EUR/);
    expect(await reviewOf((await take('rdr', rdr({ decision: 'ACCEPTED' }))).alert_id)).toBeUndefined();
    expect(await reviewOf((await take('provider_b', b())).alert_id)).toBeUndefined();
  });

  it.each([
    ['ACCEPTED', 'RESOLVED', 'nothing: the network has refunded it'],
    ['DECLINED', 'DECLINED', 'nothing: by your RDR rules the network has not refunded it'],
  ])('that RDR has %s tells its merchant %s, and to do nothing by no deadline', async (decision, action, words) => {
    const { rdr } = await enrolled();
    const { alert_id } = await take('rdr', rdr({ decision, ...(decision === 'DECLINED' && { declineCode: '1' }) }));
    const { delivery } = await noticesAt(alert_id);
    expect(formFields(delivery?.body)).toMatchObject({ alert_action: action });
    const { text } = letterText(newAlertMail(await alertAt(alert_id)));
    expect(text).toContain(words);
    expect(text).not.toContain('Answer by');
  });

  it('is stored in the inbox when it matches no site', async () => {
    const calls = await callsDuring(async () => {
      const taken = await take('provider_a', { alertId: 'nobody', merchantDescriptor: 'NOBODY' });
      expect(taken).toMatchObject({ matched: false });
      expect(await alertAt(taken.alert_id)).toMatchObject({ owner: null, unmatchedBecause: 'no_match' });
    });
    expect(calls).toBeLessThanOrEqual(3);
  });

  it('is reported to operations by e-mail when it has no owner', async () => {
    process.env['OPERATIONS_MAIL'] = 'operations@forewarn.example';
    const writes = vi.mocked(DynamoDBDocumentClient.prototype.send).mock.calls.length;
    const { alert_id } = await take('provider_a', { alertId: `N${fresh()}`, merchantDescriptor: 'NOBODY AT ALL' });
    delete process.env['OPERATIONS_MAIL'];
    const sent = JSON.stringify(vi.mocked(DynamoDBDocumentClient.prototype.send).mock.calls.slice(writes));
    expect(sent).toContain(`Alert ${alert_id} matches no merchant`);
    expect(sent).toContain('operations@forewarn.example');
  });

  it('is kept in the inbox when two merchants claim it equally', async () => {
    const [one, other] = [await seedSite(), await seedSite()];
    await seedClaims('provider_b', 'PREFIX', 'TWICE', one, { ...other, enrolledAt: '2025-01-01T00:00:00.000Z' });
    const { alert_id, matched } = await take('provider_b', { caseId: 'tie', descriptor: 'TWICE 1' });
    expect(matched).toBe(false);
    expect(await alertAt(alert_id)).toMatchObject({ unmatchedBecause: 'tie' });
  });

  it('goes by the longest of several prefixes, and by no claim at another provider', async () => {
    const [short, long, elsewhere] = [await seedSite(), await seedSite(), await seedSite()];
    await seedClaims('provider_a', 'PREFIX', 'PRE', short);
    await seedClaims('provider_a', 'PREFIX', 'PREFIX', long);
    await seedClaims('provider_b', 'EXACT', 'PREFIXED', elsewhere);
    const { alert_id } = await take('provider_a', { alertId: 'prefix', merchantDescriptor: 'prefixed' });
    expect(await alertAt(alert_id)).toMatchObject({ owner: { sid: long.sid } });
  });

  it('of rdr goes by BIN and CAID, then ARN, then descriptor', async () => {
    const [byNumbers, byArn, byText] = [await seedSite(), await seedSite(), await seedSite()];
    await seedClaims('rdr', 'BIN_CAID', '423999/77', byNumbers);
    await seedClaims('rdr', 'ARN', '1'.repeat(23), byArn);
    await seedClaims('rdr', 'EXACT', 'RDR SHOP', byText);
    const all = { acquirerBin: '423999', cardAcceptorId: '77', arn: '1'.repeat(23), paymentDescriptor: 'RDR SHOP' };
    const owner = async (change: object) =>
      (await alertAt((await take('rdr', { decisionId: `D${fresh()}`, ...all, ...change })).alert_id)).owner?.sid;
    expect(await owner({})).toBe(byNumbers.sid);
    expect(await owner({ cardAcceptorId: '78' })).toBe(byArn.sid);
    expect(await owner({ acquirerBin: null, arn: null })).toBe(byText.sid);
  });

  it('draws another number when its own is taken', async () => {
    const { a } = await enrolled();
    setClock(() => Date.parse('2026-06-01T00:00:00.000Z'));
    const taken = newTimedId() + 1;
    await putItem({ ...keys.alert(taken), entity: 'ALERT', other: true });
    expect(await take('provider_a', a())).toMatchObject({ alert_id: taken + 1 });
    expect(await getItem(keys.alert(taken))).toMatchObject({ other: true });
  });
});

describe('a case that comes again', () => {
  it('is answered the same in two calls, and nothing is written', async () => {
    const { a } = await enrolled();
    const sent = a();
    const first = await take('provider_a', sent);
    const before = await noticesAt(first.alert_id);
    const calls = await callsDuring(async () => expect(await take('provider_a', sent)).toEqual(first));
    expect(calls).toBe(2);
    expect(await noticesAt(first.alert_id)).toEqual(before);
    expect(await deliveriesAt(first.alert_id)).toHaveLength(1);
  });

  it.each<[string, 'provider_a' | 'provider_b' | 'rdr', Record<string, unknown>, Record<string, unknown>]>([
    ['another card', 'provider_b', { arn: '' }, { accountNumber: '555555xxxxxx4444', caseAmount: '90.00' }],
    ['another card', 'provider_a', { arn: '' }, { cardBin: '555555', cardLast4: '4444' }],
    ['another card', 'rdr', { arn: '' }, { cardLast4: '4444' }],
    ['another authorization', 'provider_b', { arn: '' }, { authorizationCode: '222222' }],
    ['another authorization', 'provider_a', { arn: '' }, { authCode: '222222' }],
    ['another transaction', 'provider_a', { arn: '', authCode: '' }, { transactionId: '99999' }],
    ['another transaction', 'rdr', {}, { arn: makeArn(987_654) }],
    ['another transaction', 'provider_b', { arn: '', authorizationCode: '' }, { transactionDate: '2026-03-01' }],
    ['another card', 'provider_b', { arn: '0'.repeat(23) }, { accountNumber: '555555xxxxxx4444' }],
  ])(
    'about %s from %s goes to quarantine, which names both, and changes nothing',
    async (what, provider, base, change) => {
      const by = await enrolled();
      const sent = { provider_a: by.a, provider_b: by.b, rdr: by.rdr }[provider](base);
      const { alert_id } = await take(provider, sent);
      const before = await alertAt(alert_id);
      const { status, body } = await send(provider, { ...sent, ...change });
      expect(status).toBe(400);
      const { details } = body as { details: string };
      expect(details).toContain(`is about ${what} than alert ${alert_id}`);
      expect(await alertAt(alert_id)).toEqual(before);
      const { list } = (await ask('alerts/list-quarantine', { body: { provider } })).body as {
        list: { problems: string }[];
      };
      expect(list.filter(({ problems }) => problems === details)).toHaveLength(1);
      expect((await take(provider, sent)).alert_id).toBe(alert_id);
    },
  );

  it.each([
    [{ authorizationCode: 'a1b2c3' }, { authorizationCode: 'A1B2C3' }],
    [{ authorizationCode: '012345' }, { authorizationCode: '12345' }],
    [{ authorizationCode: '387373' }, { authorizationCode: '000000' }],
    [{ authorizationCode: '387373' }, { authorizationCode: ' 387373 ' }],
    [{ authorizationCode: 'N/A' }, { authorizationCode: '387373' }],
    [{ authorizationCode: 'none' }, { authorizationCode: '387373' }],
    [{ arn: '9'.repeat(23) }, { arn: makeArn(987_655) }],
  ])('of %j is about the same transaction as %j', async (base, change) => {
    const { b } = await enrolled();
    const sent = b({ arn: '', ...base });
    const { alert_id } = await take('provider_b', sent);
    expect(await take('provider_b', { ...sent, ...change, caseAmount: '20.00' })).toMatchObject({ alert_id });
  });

  it.each([
    ['83773abc', '83773ABC', true],
    ['4929 1234 X', '49291234X', true],
    ['411111******1111', '411111******2222', true],
    ['83773', '83774', false],
  ])('of the transaction %s is about %s: %s', async (transactionId, sentAgain, isSame) => {
    const { a } = await enrolled();
    const sent = a({ arn: '', authCode: '', transactionId });
    await take('provider_a', sent);
    expect((await send('provider_a', { ...sent, transactionId: sentAgain })).status).toBe(isSame ? 200 : 400);
  });

  it('about the same acquirer reference number is a revision, whatever else it says', async () => {
    const { b } = await enrolled();
    const sent = b();
    const { alert_id } = await take('provider_b', sent);
    await take('provider_b', { ...sent, authorizationCode: '222222', caseAmount: '20.00', caseDate: '2026-05-03' });
    expect(await alertAt(alert_id)).toMatchObject({ providerAlert: { disputeAmount: '20.00', authCode: '387373' } });
  });

  it('at the same moment becomes one alert', async () => {
    const { a } = await enrolled();
    const sent = a();
    const answers = await Promise.all(Array.from({ length: 12 }, () => take('provider_a', sent)));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  });

  it('is another case at another provider', async () => {
    const { a, b } = await enrolled();
    const one = await take('provider_a', a({ alertId: 'same name' }));
    const other = await take('provider_b', b({ caseId: 'same name' }));
    expect(other.alert_id).not.toBe(one.alert_id);
  });
});

const readHistory = async (alertId: number) => {
  const { items } = await queryItems({
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :history)',
    ExpressionAttributeValues: { ':pk': keys.alert(alertId).pk, ':history': 'HISTORY#' },
  });
  return items.map(({ change }) => change as { event: string; from: object; to: object });
};

describe('a case of provider_b that comes again', () => {
  it('the same changes nothing', async () => {
    const { b } = await enrolled();
    const sent = b();
    const { alert_id } = await take('provider_b', sent);
    await take('provider_b', sent);
    expect(await readHistory(alert_id)).toHaveLength(1);
    expect((await noticesAt(alert_id)).delivery?.version).toBe(1);
  });

  it('with another amount is an event of the alert, posted and mailed', async () => {
    const { b } = await enrolled();
    const sent = b();
    const { alert_id } = await take('provider_b', sent);
    const [first] = await deliveriesAt(alert_id);
    if (first) await putItem(toDeliveryItem({ ...first, state: 'DELIVERED', nextAttemptAt: null }));
    const writes = vi.mocked(DynamoDBDocumentClient.prototype.send).mock.calls.length;
    await Promise.all([1, 2].map(() => take('provider_b', { ...sent, caseAmount: '12.00', caseCurrency: 'USD' })));
    expect((await readHistory(alert_id)).map(({ event }) => event)).toEqual(['received', 'changed by provider']);
    expect((await readHistory(alert_id))[1]).toMatchObject({
      from: { dispute_amount: '39.99' },
      to: { dispute_amount: '12.00' },
    });
    const { delivery } = await noticesAt(alert_id);
    expect(delivery).toMatchObject({ state: 'PENDING', messageId: `${first?.id}_2`, kind: 'new_alert' });
    expect(formFields(delivery?.body)).toMatchObject({ dispute_amount: '12.00' });
    expect(formFields(delivery?.body)['txdetails']).toContain('Case changed on');
    const mails = JSON.stringify(vi.mocked(DynamoDBDocumentClient.prototype.send).mock.calls.slice(writes));
    expect(mails).toContain(`Alert ${alert_id} has changed`);
    expect(mails).toContain('disputed 39.99 USD');
  });

  it('with another amount, of an informational alert, is found by the new one alone', async () => {
    const { b } = await enrolled();
    const sent = b({ caseType: 'FRAUD_NOTICE', transactionAmount: '25.00' });
    const { alert_id } = await take('provider_b', sent);
    await take('provider_b', { ...sent, transactionAmount: '31.50' });
    const rows = [informKey(alert_id, 'amount:25'), informKey(alert_id, 'amount:31.5')];
    expect(await getItems(rows)).toMatchObject([undefined, { summary: { transaction_amount: '31.50' } }]);
  });

  it('after it was taken back is open again, with a deadline from then on', async () => {
    setClock(() => Date.parse('2026-05-02T10:00:00.000Z'));
    const { b } = await enrolled();
    const sent = b();
    const { alert_id } = await take('provider_b', sent);
    await take('provider_b', { ...sent, status: 'REVOKED' });
    // A repetition that was under way.
    await take('provider_b', sent);
    expect(await alertAt(alert_id)).toMatchObject({ status: 'REVOKED' });
    setClock(() => Date.parse('2026-05-20T10:00:00.000Z'));
    await take('provider_b', sent);
    expect(await alertAt(alert_id)).toMatchObject({
      ...{ status: 'OPEN', withdrawnAt: null, revision: { event: 'reopened', before: null } },
      deadlineAt: '2026-05-23T10:00:00.000Z',
    });
    expect((await noticesAt(alert_id)).delivery).toMatchObject({ state: 'PENDING', cancelledAt: null });
    expect((await readHistory(alert_id)).at(-1)?.event).toBe('reopened by provider');
  });

  it.each([
    ['2026-05-20', '2026-05-23T10:00:00.000Z'],
    ['2026-05-19', '2026-05-23T00:00:00.000Z'],
  ])('that is reopened on the day %s, without a time, is due at %s', async (caseDate, deadlineAt) => {
    setClock(() => Date.parse('2026-05-02T10:00:00.000Z'));
    const { b } = await enrolled();
    const sent = b({ caseDate: '2026-05-02', age: '' });
    const { alert_id } = await take('provider_b', sent);
    expect(await alertAt(alert_id)).toMatchObject({ deadlineAt: '2026-05-05T10:00:00.000Z' });
    await take('provider_b', { ...sent, status: 'REVOKED' });
    setClock(() => Date.parse('2026-05-20T10:00:00.000Z'));
    await take('provider_b', { ...sent, caseDate });
    expect(await alertAt(alert_id)).toMatchObject({ status: 'OPEN', deadlineAt });
  });

  describe('out of order', () => {
    const amount = (caseAmount: string, more = {}) => ({ caseAmount, caseCurrency: 'USD', ...more });
    const disputedAt = async (alertId: number) => (await alertAt(alertId)).providerAlert.disputeAmount;

    it.each([
      ['an earlier caseDate', { caseDate: '2026-05-02T10:00:00Z' }, { caseDate: '2026-05-02T11:00:00Z' }],
      ['the same caseDate', { caseDate: '2026-05-02T10:00:00Z' }, { caseDate: '2026-05-02T10:00:00Z' }],
      ['no caseDate', { caseDate: null }, { caseDate: null }],
      ['a lower eventSequence', { eventSequence: 9 }, { eventSequence: '10' }],
    ])('keeps the newer amount when the first message is repeated with %s', async (_name, first, second) => {
      const { b } = await enrolled();
      const sent = b(amount('100.00', first));
      const { alert_id } = await take('provider_b', sent);
      await take('provider_b', { ...sent, ...amount('60.00', second) });
      await take('provider_b', sent);
      expect(await disputedAt(alert_id)).toBe('60.00');
      expect((await readHistory(alert_id)).map(({ event }) => event)).toEqual(['received', 'changed by provider']);
      expect(formFields((await noticesAt(alert_id)).delivery?.body)).toMatchObject({ dispute_amount: '60.00' });
    });

    it('stays withdrawn when the message between two withdrawals arrives last', async () => {
      const { b } = await enrolled();
      const [sent, back] = [b(), { status: 'REVOKED' }];
      const { alert_id } = await take('provider_b', { ...sent, eventSequence: 1 });
      await take('provider_b', { ...sent, ...back, eventSequence: 2 });
      await take('provider_b', { ...sent, ...back, eventSequence: 4 });
      await take('provider_b', { ...sent, eventSequence: 3 });
      expect(await alertAt(alert_id)).toMatchObject({ status: 'REVOKED' });
      await take('provider_b', { ...sent, eventSequence: 5 });
      expect(await alertAt(alert_id)).toMatchObject({ status: 'OPEN' });
    });

    it('reopens a withdrawn case when its message is the first with a date', async () => {
      const { b } = await enrolled();
      const sent = b({ caseDate: null });
      const { alert_id } = await take('provider_b', sent);
      await take('provider_b', { ...sent, status: 'REVOKED' });
      await take('provider_b', { ...sent, caseDate: '2026-05-02T10:00:00Z' });
      expect(await alertAt(alert_id)).toMatchObject({ status: 'OPEN' });
    });

    it('keeps the newer amount when an older message arrives for the first time', async () => {
      const { b } = await enrolled();
      const sent = b(amount('60.00', { caseDate: '2026-05-02T11:00:00Z' }));
      const { alert_id } = await take('provider_b', sent);
      await take('provider_b', { ...sent, ...amount('100.00', { caseDate: '2026-05-02T10:00:00Z' }) });
      expect(await disputedAt(alert_id)).toBe('60.00');
    });

    it('returns to an earlier amount when a message with a later caseDate says so', async () => {
      const { b } = await enrolled();
      const sent = b(amount('100.00', { caseDate: '2026-05-02T10:00:00Z' }));
      const { alert_id } = await take('provider_b', sent);
      await take('provider_b', { ...sent, ...amount('60.00', { caseDate: '2026-05-02T11:00:00Z' }) });
      await take('provider_b', { ...sent, ...amount('100.00', { caseDate: '2026-05-02T12:00:00Z' }) });
      expect(await disputedAt(alert_id)).toBe('100.00');
    });

    it('stays withdrawn when a message of before the withdrawal arrives after it', async () => {
      setClock(() => Date.parse('2026-05-02T10:00:00.000Z'));
      const { b } = await enrolled();
      const sent = b(amount('100.00', { caseDate: '2026-05-02T10:00:00Z' }));
      const { alert_id } = await take('provider_b', sent);
      await take('provider_b', { ...sent, status: 'REVOKED', caseDate: '2026-05-02T12:00:00Z' });
      setClock(() => Date.parse('2026-05-04T10:00:00.000Z'));
      await take('provider_b', { ...sent, ...amount('60.00', { caseDate: '2026-05-02T11:00:00Z' }) });
      expect(await alertAt(alert_id)).toMatchObject({ status: 'REVOKED' });
      await take('provider_b', { ...sent, ...amount('60.00', { caseDate: '2026-05-04T10:00:00Z' }) });
      expect(await alertAt(alert_id)).toMatchObject({ status: 'OPEN' });
    });

    it.each([
      ['with an earlier caseDate', '2026-05-02T11:00:00Z', 24],
      ['without a caseDate, within the hour', null, 0.5],
    ])('stays open when an old withdrawal is repeated %s', async (_name, caseDate, hours) => {
      setClock(() => Date.parse('2026-05-02T10:00:00.000Z'));
      const { b } = await enrolled();
      const sent = b({ caseDate: '2026-05-02T10:00:00Z' });
      const { alert_id } = await take('provider_b', sent);
      const revoked = { ...sent, status: 'REVOKED', caseDate };
      await take('provider_b', revoked);
      setClock(() => Date.parse('2026-05-04T10:00:00.000Z'));
      await take('provider_b', { ...sent, caseDate: '2026-05-04T10:00:00Z' });
      setClock(() => Date.parse('2026-05-04T10:00:00.000Z') + hours * milliseconds.hour);
      await take('provider_b', revoked);
      expect(await alertAt(alert_id)).toMatchObject({ status: 'OPEN', withdrawnAt: null });
      await take('provider_b', { ...sent, status: 'REVOKED', caseDate: '2026-05-06T10:00:00Z' });
      expect(await alertAt(alert_id)).toMatchObject({ status: 'REVOKED' });
    });
  });

  it('after the merchant answered leaves the answer, and posts nothing', async () => {
    const { site, b } = await enrolled();
    const sent = b();
    const { alert_id } = await take('provider_b', sent);
    const body = { alert_id, status: 'RESOLVED', reason_code: '100.001' };
    expect(
      await ask('alerts/update-alert', { as: 'nobody', body, headers: { rcode: makeRcode(site.sid) } }),
    ).toMatchObject({
      status: 200,
    });
    await take('provider_b', { ...sent, caseAmount: '11.00', caseCurrency: 'USD' });
    expect(await alertAt(alert_id)).toMatchObject({ status: 'RESOLVED', providerAlert: { disputeAmount: '11.00' } });
    expect((await noticesAt(alert_id)).delivery?.state).toBe('CANCELLED');
  });
});

describe('a field that only informs', () => {
  type Change = Record<string, unknown>;
  const odd = [['First', 'Bank'], { name: 'First' }, true, null, '11/28/2026', 'N/A', 1_795_878_469];
  const informing = {
    provider_a: [
      'alertTimestamp',
      'issuer',
      'age',
      'arn',
      'mcc',
      'authCode',
      'transactionId',
      'reasonCode',
      'cardBin',
      'cardLast4',
      'transactionTimestamp',
    ],
    provider_b: [
      'caseDate',
      'paymentType',
      'arn',
      'authorizationCode',
      'reasonCode',
      'reasonText',
      'issuerName',
      'age',
      'tier',
      'accountNumber',
      'transactionDate',
    ],
    rdr: [
      'caseDate',
      'cardBin',
      'cardLast4',
      'transactionDate',
      'declineCode',
      'acquirerBin',
      'cardAcceptorId',
      'transactionId',
      'authCode',
      'arn',
      'mcc',
      'reasonCode',
    ],
  } as const;
  it.each(['provider_a', 'provider_b', 'rdr'] as const)('never refuses an alert of %s', async (provider) => {
    const by = await enrolled();
    for (const name of informing[provider]) {
      for (const value of odd) {
        const sent = { provider_a: by.a, provider_b: by.b, rdr: by.rdr }[provider]({ [name]: value });
        expect(await send(provider, sent), `${name}: ${JSON.stringify(value)}`).toMatchObject({ status: 200 });
      }
    }
  });

  it('is visible where it was left out', async () => {
    const { site, a } = await enrolled();
    const { alert_id } = await take('provider_a', a({ transactionTimestamp: '06/07/2026', cardLast4: '12' }));
    const details = await ask('alerts/alert-details', { as: { mid: site.mid }, params: { alert_id } });
    expect(details.body).toMatchObject({
      ...{ card: '', transaction_timestamp: '', as_sent: { transactionTimestamp: '06/07/2026', cardLast4: '12' } },
    });
    const { txdetails } = formFields((await noticesAt(alert_id)).delivery?.body);
    expect(txdetails).toContain('The time of the transaction could not be read');
  });

  it.each<[string, Change, Change]>([
    [
      'noise of a float',
      { caseAmount: 39.989999999999995, transactionAmount: '59.970000000000006' },
      { amount: '59.97', disputeAmount: '39.99' },
    ],
    [
      'single precision',
      { caseAmount: 19.989999771118164, transactionAmount: '59.970001220703125' },
      { amount: '59.97', disputeAmount: '19.99' },
    ],
    [
      'single precision in a currency of three decimals',
      { transactionAmount: '12.345000267028809', transactionCurrency: 'KWD', caseAmount: '' },
      { amount: '12.345' },
    ],
    [
      'noise in a currency of three decimals',
      { transactionAmount: 1.1000000000000001, transactionCurrency: 'KWD', caseAmount: '' },
      { amount: '1.100' },
    ],
    [
      'no currency of its own',
      { caseAmount: '20.00', caseCurrency: undefined },
      { disputeAmount: '20.00', disputeCurrency: 'USD' },
    ],
    [
      'a number as currency, for the whole',
      { caseAmount: '39.99', caseCurrency: '840' },
      { disputeAmount: '39.99', disputeCurrency: 'USD' },
    ],
    ['a blank in words', { caseAmount: 'N/A' }, { disputeAmount: '', amount: '39.99' }],
    ['an acquirer BIN as number', { acquirerBin: 423_223 }, { bin: '423223' }],
  ])('is read where what it means is clear: %s', async (_, change, expected) => {
    const { b, rdr } = await enrolled();
    const { alert_id } = 'acquirerBin' in change ? await take('rdr', rdr(change)) : await take('provider_b', b(change));
    expect((await alertAt(alert_id)).providerAlert).toMatchObject(expected);
  });

  it.each<Change>([
    { caseAmount: '20,00' },
    { caseAmount: '20.00', caseCurrency: '840' },
    { transactionAmount: '10.005000000000001' },
    { caseAmount: 20.004999999 },
    { transactionAmount: '59.970001230000001' },
    { transactionAmount: '20000.009765625' },
  ])('is no amount: one that may be another is refused, %j', async (change) => {
    const { b } = await enrolled();
    expect(await send('provider_b', b(change))).toMatchObject({ status: 400 });
  });
});

describe('a second alert about a transaction', () => {
  /** The card of provider A's sample, as the other networks write it. */
  const cardOfA = {
    provider_b: { accountNumber: '411111xxxxxx1111' },
    rdr: { cardBin: '411111', cardLast4: '1111' },
  };

  it.each<[string, [string, string][], boolean[]]>([
    [
      'another part',
      [
        ['b', '30.00'],
        ['b', '20.00'],
      ],
      [false, false],
    ],
    [
      'the whole after a part',
      [
        ['b', '30.00'],
        ['b', '39.99'],
      ],
      [false, false],
    ],
    [
      'the whole at another network after a part',
      [
        ['b', '30.00'],
        ['a', '39.99'],
      ],
      [false, false],
    ],
    [
      'a part after the whole at another network',
      [
        ['a', '39.99'],
        ['b', '30.00'],
      ],
      [false, false],
    ],
    [
      'the same part again',
      [
        ['b', '30.00'],
        ['b', '30.00'],
      ],
      [false, true],
    ],
    [
      'the second part again',
      [
        ['b', '30.00'],
        ['b', '20.00'],
        ['b', '20.00'],
      ],
      [false, false, true],
    ],
    [
      'the whole again',
      [
        ['b', '39.99'],
        ['a', '39.99'],
      ],
      [false, true],
    ],
  ])('of %s of one payment is a duplicate only of its own part, in one case of disputes', async (_, sent, expected) => {
    const { a, b } = await enrolled();
    const arn = makeArn(fresh());
    const results = [];
    for (const [who, amount] of sent) {
      const card = {
        cardBin: '423234',
        cardLast4: '3773',
        authCode: '387373',
        amount: { value: '39.99', currencyCode: 'USD' },
      };
      results.push(
        who === 'a'
          ? await take('provider_a', a({ arn, ...card }))
          : await take('provider_b', b({ arn, caseAmount: amount })),
      );
    }
    expect(results.map(({ is_duplicate }) => is_duplicate)).toEqual(expected);
    const cases = await Promise.all(results.map(async ({ alert_id }) => disputeCaseIdOf(await alertAt(alert_id))));
    expect(new Set(cases).size).toBe(1);
  });

  it('is a duplicate that names the first, by ARN across providers', async () => {
    const { a, b } = await enrolled();
    const first = await take('provider_a', a({ arn: makeArn('7'.repeat(22)) }));
    const second = await take('provider_b', b({ ...cardOfA.provider_b, arn: makeArn('7'.repeat(22)) }));
    expect(second).toMatchObject({ is_duplicate: true, matched: true });
    const { body } = (await noticesAt(second.alert_id)).delivery ?? {};
    expect(formFields(body)).toMatchObject({ is_duplicate: 'yes' });
    expect(JSON.parse(formFields(body)['txdetails'] ?? '')).toMatchObject([
      { duplicate_alertid: String(first.alert_id) },
    ]);
  });

  it('is none if both its card and its amount differ, although the ARN is the same', async () => {
    const { a, b } = await enrolled();
    const arn = makeArn(fresh());
    await take('provider_a', a({ arn }));
    const other = { accountNumber: '423234xxxxxx3773', caseAmount: '39.99' };
    expect(await take('provider_b', b({ ...other, arn }))).toMatchObject({ is_duplicate: false });
    expect(await take('provider_b', b({ ...cardOfA.provider_b, arn }))).toMatchObject({ is_duplicate: true });
  });

  it('is one by its fingerprint where there is no ARN', async () => {
    const { a } = await enrolled();
    await take('provider_a', a({ arn: null }));
    expect(await take('provider_a', a({ arn: null }))).toMatchObject({ is_duplicate: true });
    expect(await take('provider_a', a({ arn: null, authCode: '1' }))).toMatchObject({ is_duplicate: false });
  });

  it('is none at another site', async () => {
    const [one, other] = [await enrolled(), await enrolled()];
    await take('provider_a', one.a({ arn: makeArn('6'.repeat(22)) }));
    expect(await take('provider_a', other.a({ arn: makeArn('6'.repeat(22)) }))).toMatchObject({ is_duplicate: false });
  });

  it('is none after an informational alert, nor is that one', async () => {
    const { a, b } = await enrolled();
    const arn = makeArn('5'.repeat(22));
    await take('provider_a', a({ arn, type: 'FRAUD_NOTICE' }));
    expect(await take('provider_a', a({ arn }))).toMatchObject({ is_duplicate: false });
    expect(await take('provider_b', b({ ...cardOfA.provider_b, arn, caseType: 'DISPUTE_NOTICE' }))).toMatchObject({
      is_duplicate: false,
    });
  });

  it.each([
    ['withdrawn by provider_b', 'provider_b', { status: 'REVOKED' }],
    ['withdrawn by rdr', 'rdr', { event: 'DELETE' }],
  ] as const)(
    'is none after an alert that was %s, and becomes the first of later ones',
    async (_name, provider, back) => {
      const { a, b, rdr } = await enrolled();
      const arn = makeArn(fresh());
      const sent = provider === 'rdr' ? rdr({ ...cardOfA.rdr, arn }) : b({ ...cardOfA.provider_b, arn });
      await take(provider, sent);
      await take(provider, { ...sent, ...back });
      const second = await take('provider_a', a({ arn }));
      expect(second).toMatchObject({ is_duplicate: false });
      const third = await take('provider_b', b({ ...cardOfA.provider_b, arn }));
      expect(third).toMatchObject({ is_duplicate: true });
      expect(await alertAt(third.alert_id)).toMatchObject({ duplicateOf: second.alert_id });
    },
  );

  it('is none after a refund that the network declined, or an alert that was withdrawn before it arrived', async () => {
    const { a, b, rdr } = await enrolled();
    const [declined, withdrawn] = [1, 2].map(() => makeArn(fresh()));
    await take('rdr', rdr({ ...cardOfA.rdr, arn: declined, decision: 'DECLINED', declineCode: '1' }));
    expect(await take('provider_a', a({ arn: declined }))).toMatchObject({ is_duplicate: false });
    const sent = b({ ...cardOfA.provider_b, arn: withdrawn });
    await send('provider_b', { ...sent, status: 'REVOKED' });
    await take('provider_b', sent);
    expect(await take('provider_a', a({ arn: withdrawn }))).toMatchObject({ is_duplicate: false });
  });

  it('is one that the network declined to refund itself, after an open alert', async () => {
    const { a, rdr } = await enrolled();
    const arn = makeArn(fresh());
    await take('provider_a', a({ arn }));
    expect(await take('rdr', rdr({ ...cardOfA.rdr, arn, decision: 'DECLINED' }))).toMatchObject({ is_duplicate: true });
  });

  it('is the withdrawn one when it is reopened after the other arrived', async () => {
    setClock(() => Date.parse('2026-05-02T10:00:00.000Z'));
    const { a, b } = await enrolled();
    const arn = makeArn(fresh());
    const sent = b({ ...cardOfA.provider_b, arn });
    const first = await take('provider_b', sent);
    await take('provider_b', { ...sent, status: 'REVOKED' });
    const second = await take('provider_a', a({ arn }));
    setClock(() => Date.parse('2026-05-04T10:00:00.000Z'));
    await take('provider_b', sent);
    expect(await alertAt(first.alert_id)).toMatchObject({ status: 'OPEN', duplicateOf: second.alert_id });
    expect(await alertAt(second.alert_id)).toMatchObject({ duplicateOf: null });
  });

  it('is none after an unmatched alert that was withdrawn in the inbox', async () => {
    const { site, a } = await enrolled();
    const sent = { caseId: `B${fresh()}`, descriptor: 'NOBODY', ...cardOfA.provider_b, arn: makeArn(fresh()) };
    const { alert_id } = await take('provider_b', sent);
    await take('provider_b', { ...sent, status: 'REVOKED' });
    await ask('alerts/assign-alert', { as: 'admin', params: { alert_id }, body: { sid: site.sid } });
    expect(await take('provider_a', a({ arn: sent.arn }))).toMatchObject({ is_duplicate: false });
  });

  it('at the same moment leaves exactly one that is none, named by all others', async () => {
    const { a, b } = await enrolled();
    const arn = makeArn('4'.repeat(22));
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => [
        take('provider_a', a({ arn })),
        take('provider_b', b({ ...cardOfA.provider_b, arn })),
      ]).flat(),
    );
    const firsts = answers.filter(({ is_duplicate }) => !is_duplicate);
    expect(firsts).toHaveLength(1);
    const others = await Promise.all(
      answers.filter(({ is_duplicate }) => is_duplicate).map(({ alert_id }) => alertAt(alert_id)),
    );
    expect(others.map(({ duplicateOf }) => duplicateOf)).toEqual(others.map(() => firsts[0]?.alert_id));
  });
});

describe('a case that is taken back', () => {
  it.each(['provider_b', 'rdr'] as const)('closes the alert of %s once and tells the site', async (provider) => {
    const { site, b, rdr } = await enrolled();
    const [sent, back, status] =
      provider === 'rdr' ? [rdr(), { event: 'DELETE' }, 'RDR_DELETE'] : [b(), { status: 'REVOKED' }, 'REVOKED'];
    const taken = await take(provider, sent);
    expect(await callsDuring(() => take(provider, { ...sent, ...back }))).toBeLessThanOrEqual(3);
    expect(await take(provider, { ...sent, ...back })).toEqual(taken);
    expect(await alertAt(taken.alert_id)).toMatchObject({ status });
    const [first, second, ...rest] = await deliveriesAt(taken.alert_id);
    expect(first).toMatchObject({ kind: 'new_alert', state: 'CANCELLED' });
    expect(second).toMatchObject({ kind: 'status_update', state: 'PENDING', sid: site.sid });
    expect(formFields(second?.body)).toEqual({
      action: 'statusupdate',
      alert_id: String(taken.alert_id),
      status,
      reason_code: '',
    });
    expect(rest).toEqual([]);
  });

  it('needs no more than its name', async () => {
    const { b } = await enrolled();
    const sent = b();
    const taken = await take('provider_b', sent);
    expect(await sendBody('provider_b', { caseId: sent.caseId, status: 'REVOKED' })).toMatchObject({ body: taken });
  });

  it('is not reported to a site that opted out of status updates', async () => {
    const { rdr } = await enrolled({ alert: settings({ status_update_opt_in: false }) });
    const sent = rdr();
    const { alert_id } = await take('rdr', sent);
    await take('rdr', { ...sent, event: 'DELETE' });
    expect(await deliveriesAt(alert_id)).toHaveLength(1);
  });

  it('is taken once when it comes many times at once', async () => {
    const { b } = await enrolled();
    const sent = b();
    const { alert_id } = await take('provider_b', sent);
    await Promise.all(Array.from({ length: 5 }, () => take('provider_b', { ...sent, status: 'REVOKED' })));
    expect(await deliveriesAt(alert_id)).toHaveLength(2);
  });

  it('without an owner stays in the inbox', async () => {
    const sent = { caseId: 'lonely', descriptor: 'NOBODY' };
    const { alert_id } = await take('provider_b', sent);
    expect(await take('provider_b', { ...sent, status: 'REVOKED' })).toMatchObject({ alert_id, matched: false });
    expect(await alertAt(alert_id)).toMatchObject({ status: 'REVOKED', owner: null });
  });

  describe('before it arrived', () => {
    const kept = { alert_id: null, is_duplicate: false, matched: false };

    it.each(['provider_b', 'rdr'] as const)(
      'is withdrawn when the case of %s arrives, and notifies nobody',
      async (provider) => {
        const { b, rdr } = await enrolled();
        const [sent, back, status] =
          provider === 'rdr' ? [rdr(), { event: 'DELETE' }, 'RDR_DELETE'] : [b(), { status: 'REVOKED' }, 'REVOKED'];
        for (const _copy of [1, 2]) expect((await send(provider, { ...sent, ...back })).body).toEqual(kept);
        const { alert_id, matched } = await take(provider, sent);
        expect(matched).toBe(true);
        expect(await alertAt(alert_id)).toMatchObject({ status, withdrawnAt: expect.any(String), version: 2 });
        expect((await readHistory(alert_id)).map(({ event }) => event)).toEqual(['received', 'withdrawn by provider']);
        expect(await noticesAt(alert_id)).toEqual({ delivery: undefined, mail: undefined });
        expect(await deliveriesAt(alert_id)).toEqual([]);
        expect(await getItem(keys.disputeHold(alert_id))).toBeUndefined();
        // A repeat of the case does not reopen it, nor does the withdrawal change it again.
        await take(provider, sent);
        expect(await take(provider, { ...sent, ...back })).toMatchObject({ alert_id });
        expect(await alertAt(alert_id)).toMatchObject({ status, version: 2 });
      },
    );

    it('notifies the site and searches its payment once it is reopened', async () => {
      setClock(() => Date.parse('2026-05-02T10:00:00.000Z'));
      const { b } = await enrolled();
      const sent = b();
      await send('provider_b', { ...sent, status: 'REVOKED' });
      const { alert_id } = await take('provider_b', sent);
      setClock(() => Date.parse('2026-05-04T10:00:00.000Z'));
      await take('provider_b', sent);
      expect(await alertAt(alert_id)).toMatchObject({ status: 'OPEN', withdrawnAt: null });
      expect((await noticesAt(alert_id)).delivery).toMatchObject({ state: 'PENDING', kind: 'new_alert' });
      expect(await getItem(keys.disputeHold(alert_id))).toBeDefined();
      setClock();
    });

    it('is withdrawn in the unmatched inbox, and operations get no e-mail', async () => {
      process.env['OPERATIONS_MAIL'] = 'operations@forewarn.example';
      const sent = { caseId: `B${fresh()}`, descriptor: 'NOBODY' };
      await send('provider_b', { ...sent, status: 'REVOKED' });
      const writes = vi.mocked(DynamoDBDocumentClient.prototype.send).mock.calls.length;
      const { alert_id } = await take('provider_b', sent);
      delete process.env['OPERATIONS_MAIL'];
      expect(await alertAt(alert_id)).toMatchObject({ status: 'REVOKED', owner: null });
      const sends = JSON.stringify(vi.mocked(DynamoDBDocumentClient.prototype.send).mock.calls.slice(writes));
      expect(sends).not.toContain('operations@forewarn.example');
    });

    it('is open when the withdrawal is older than the case', async () => {
      const { b } = await enrolled();
      const sent = b({ caseDate: '2026-05-02T11:00:00Z' });
      await send('provider_b', { ...sent, status: 'REVOKED', caseDate: '2026-05-02T10:00:00Z' });
      expect(await alertAt((await take('provider_b', sent)).alert_id)).toMatchObject({ status: 'OPEN' });
    });

    it('is open when the case arrives after the 30 days for which a withdrawal is kept', async () => {
      const received = Date.parse('2026-05-02T10:00:00.000Z');
      setClock(() => received);
      const { b } = await enrolled();
      const [late, early] = [b(), b()];
      for (const one of [late, early]) await send('provider_b', { ...one, status: 'REVOKED' });
      setClock(() => received + 30 * milliseconds.day - 1);
      expect(await alertAt((await take('provider_b', early)).alert_id)).toMatchObject({ status: 'REVOKED' });
      setClock(() => received + 30 * milliseconds.day);
      expect(await alertAt((await take('provider_b', late)).alert_id)).toMatchObject({ status: 'OPEN' });
    });

    it('is withdrawn when both arrive at the same moment, in whichever order', async () => {
      const { b } = await enrolled();
      const cases = Array.from({ length: 8 }, () => b());
      await Promise.all(
        cases.flatMap((sent) => [send('provider_b', { ...sent, status: 'REVOKED' }), take('provider_b', sent)]),
      );
      for (const sent of cases) {
        const { alert_id } = await take('provider_b', sent);
        expect(await alertAt(alert_id)).toMatchObject({ status: 'REVOKED' });
      }
    });
  });
});

describe('a provider', () => {
  const operations = [receiveProviderAOperation, receiveProviderBOperation, receiveRdrOperation] as const;

  it.each(operations)('is not believed by $path without its own signature', async (operation) => {
    for (const secret of ['jwt', 'provider-a', 'provider-b', 'rdr'].filter(
      (name) => !(operation.grants.secrets as readonly string[]).includes(name),
    )) {
      const headers = { 'x-signature': signBody(secret, bodyA()) };
      expect(await ask(operation, { as: 'nobody', body: bodyA(), headers })).toMatchObject({ status: 401 });
    }
    expect(await ask(operation, { as: 'admin', body: bodyA() })).toMatchObject({ status: 401 });
  });

  it('is not believed with a signature older than five minutes', async () => {
    setClock(() => Date.parse('2026-06-01T00:00:00.000Z'));
    const headers = (ago: number) => ({
      'x-signature': signBody('provider-a', bodyA(), Date.parse('2026-06-01T00:00:00.000Z') - ago),
    });
    const old = await ask(receiveProviderAOperation, {
      as: 'nobody',
      body: bodyA(),
      headers: headers(5 * milliseconds.minute + 1000),
    });
    expect(old).toMatchObject({ status: 401, body: { details: expect.stringContaining('it is now 1780272000.') } });
    const recent = await ask(receiveProviderAOperation, {
      as: 'nobody',
      body: bodyA(),
      headers: headers(5 * milliseconds.minute),
    });
    expect(recent).toMatchObject({ status: 200 });
  });

  it('receives 400 with the wrong field, and nothing is stored', async () => {
    const answer = await send('provider_a', { alertId: 'wrong', amount: { value: '1e3', currencyCode: 'USD' } });
    expect(answer).toMatchObject({ status: 400, body: { details: expect.stringContaining('amount.value: ') } });
    expect(await getItem(keys.providerCase('provider_a', 'wrong'))).toBeUndefined();
  });
});

afterAll(() => {
  for (const name of ['alerts/receive-provider-a', 'alerts/receive-provider-b', 'alerts/receive-rdr'])
    expectDeclared(name);
});
