import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { setClock } from '#core/kernel/clock.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem, putItem } from '#core/platform/table/table.ts';
import { toAlertItem } from '#disputes/alerts/alert-row.ts';
import { recordReplyUpdate } from '#disputes/alerts/answer/update-store.ts';
import { notifiedFields } from '#disputes/alerts/schemas.ts';
import { makeArn } from '#test/support/arns.ts';
import { longList, storeLongList } from '#test/support/long-list.ts';
import type { As } from '#test/support/operations.ts';
import { ask, expectDeclared, useOperations } from '#test/support/operations.ts';
import { settings } from './samples.ts';
import {
  alertAt,
  callsDuring,
  deliveriesAt,
  fresh,
  noticesAt,
  seedClaims,
  seedSite,
  send,
  take,
  whileContended,
} from './seed.ts';

useOperations();
afterEach(() => setClock());

const enrolledSite = async (change: Parameters<typeof seedSite>[0] = {}) => {
  const site = await seedSite(change);
  const descriptor = `SHOP ${site.sid}`;
  await seedClaims('provider_a', 'EXACT', descriptor, site);
  const alert = async (sent: Record<string, unknown> = {}) =>
    (
      await take('provider_a', {
        alertId: `A${fresh()}`,
        arn: null,
        authCode: null,
        merchantDescriptor: descriptor,
        ...sent,
      })
    ).alert_id;
  return { site, alert, as: { mid: site.mid } };
};
type Page = { list: { alert_id: number; alert_type: string }[]; totalResult: number; next_cursor: string | null };
const list = async (body: Record<string, unknown>, as: As = 'admin') =>
  (await ask('alerts/list-alerts', { as, body })).body as Page;
const ids = ({ list: alerts }: Page) => alerts.map(({ alert_id }) => alert_id);

describe('a list of alerts', () => {
  it("shows a merchant's own, newest first, with what their notification said", async () => {
    const { site, alert, as } = await enrolledSite();
    const [first, second] = [await alert(), await alert()];
    const page = await list({}, as);
    expect(ids(page)).toEqual([second, first]);
    expect(page).toMatchObject({ totalResult: 2, next_cursor: null });
    expect(page.list[0]).toMatchObject({
      alert_id: second,
      status: 'OPEN',
      sid: site.sid,
      card: '411111xxxxxx1111',
      amount: '361.56',
      is_duplicate: 'no',
      reason_code: null,
      test: false,
      late: false,
      deadline_passed: false,
    });
  });

  it.each(Object.keys(notifiedFields).filter((name) => !['alert_type', 'provider', 'alert_date'].includes(name)))(
    'shows an alert that an earlier release stored without %s',
    async (name) => {
      const { alert, as } = await enrolledSite();
      const item = (await getItem(keys.alert(await alert()))) ?? expect.fail('it was stored');
      const { [name]: _, ...summary } = item['summary'] as Record<string, unknown>;
      await putItem({ ...item, summary });
      expect((await list({}, as)).list).toMatchObject([summary]);
    },
  );

  it('is filtered by type, status, site, retailer and date', async () => {
    const { site, alert, as } = await enrolledSite();
    setClock(() => Date.parse('2026-07-01T10:00:00.000Z'));
    const [fraud, providerAlert] = [await alert(), await alert({ type: 'FRAUD_NOTICE' })];
    setClock(() => Date.parse('2026-07-02T10:00:00.000Z'));
    const dispute = await alert({ type: 'CUSTOMER_DISPUTE' });
    expect(ids(await list({ alert_type: 'FRAUD' }, as))).toEqual([fraud]);
    expect(ids(await list({ alert_type: ['FRAUD', 'DISPUTE'], order: 'ASC' }, as))).toEqual([fraud, dispute]);
    expect(ids(await list({ status: 'INFORM' }, as))).toEqual([providerAlert]);
    expect(ids(await list({ status: ['RESOLVED'] }, as))).toEqual([]);
    expect(await list({ status: 'INFORM', alert_type: 'FRAUD' }, as)).toEqual({
      list: [],
      totalResult: 0,
      next_cursor: null,
    });
    for (const owner of [{ sid: site.sid }, { rid: site.rid }, { mid: site.mid }, { sid: site.sid, rid: site.rid }]) {
      expect(ids(await list({ ...owner, date_to: '2026-07-01', order: 'ASC' }))).toEqual([fraud, providerAlert]);
      expect(ids(await list({ ...owner, date_from: '2026-07-02' }, as))).toEqual([dispute]);
    }
  });

  it('accepts several sites, retailers and merchants, and refuses the list if one of them is not yours', async () => {
    const [one, other, third] = [await enrolledSite(), await enrolledSite(), await enrolledSite()];
    const [first, second] = [await one.alert(), await other.alert()];
    await third.alert();
    const both = (name: 'sid' | 'rid' | 'mid') => [one.site[name], other.site[name]];
    for (const owners of [{ sid: both('sid') }, { rid: both('rid') }, { mid: both('mid') }]) {
      expect(ids(await list(owners))).toEqual([second, first]);
    }
    expect(ids(await list({ mid: both('mid'), sid: [one.site.sid] }))).toEqual([first]);
    expect(ids(await list({ sid: both('sid'), status: ['OPEN'], size: 1 }))).toEqual([second]);
    expect(await list({ sid: [] })).toEqual({ list: [], totalResult: 0, next_cursor: null });
    expect(await ask('alerts/list-alerts', { as: one.as, body: { sid: both('sid') } })).toMatchObject({ status: 404 });
    expect(await ask('alerts/list-alerts', { as: one.as, body: { mid: both('mid') } })).toMatchObject({ status: 404 });
  });

  it('accepts a form with empty filters, and filters in lower case', async () => {
    const form = new URLSearchParams({
      status: '',
      alert_type: '',
      mid: '',
      sid: '',
      date_from: '',
      order: 'asc',
      size: '2',
    });
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const answer = await ask('alerts/list-alerts', { body: form, headers });
    expect(answer).toMatchObject({ status: 200 });
    expect(answer.body).toEqual((await ask('alerts/list-alerts', { body: { order: 'ASC', size: 2 } })).body);
  });

  it('goes on where the page before ended', async () => {
    const { alert, as } = await enrolledSite();
    const all: number[] = [];
    for (let count = 0; count < 5; count += 1) all.unshift(await alert());
    const first = await list({ size: 2 }, as);
    const second = await list({ size: 2, cursor: first.next_cursor }, as);
    const last = await list({ size: 2, cursor: second.next_cursor }, as);
    expect([first, second, last].flatMap(ids)).toEqual(all);
    expect(last.next_cursor).toBeNull();
  });

  it("answers another merchant's as what does not exist", async () => {
    const [{ site, as }, other] = [await enrolledSite(), await enrolledSite()];
    await other.alert();
    expect(await list({}, as)).toMatchObject({ list: [] });
    for (const [owner, absent] of [
      [{ sid: other.site.sid }, { sid: 999_999 }],
      [{ rid: other.site.rid }, { rid: 999_999 }],
      [{ mid: other.site.mid }, { mid: 999_999 }],
      [
        { mid: site.mid, sid: other.site.sid },
        { mid: site.mid, sid: 999_999 },
      ],
      [
        { rid: site.rid, sid: other.site.sid },
        { rid: site.rid, sid: 999_999 },
      ],
    ] as const) {
      const [one, none] = [
        await ask('alerts/list-alerts', { as, body: owner }),
        await ask('alerts/list-alerts', { as, body: absent }),
      ];
      expect(one).toMatchObject({ status: 404, body: none.body });
    }
  });

  it.each([
    [{ size: 0 }, 'size: '],
    [{ size: 501 }, 'size: '],
    [{ status: 'CLOSED' }, 'status: must be one of OPEN'],
    [{ alert_type: ['X'] }, 'alert_type: must be one of DISPUTE'],
    [{ date_from: 'yesterday' }, 'date_from: '],
    [{ order: 'UP' }, 'order: '],
    [{ cursor: 'x' }, 'cursor: '],
  ])('refuses %j and names the field', async (body, words) =>
    expect(await ask('alerts/list-alerts', { body })).toMatchObject({
      status: 400,
      body: { details: expect.stringContaining(words) },
    }),
  );
});

describe('an alert', () => {
  it('is shown whole, with its history, to its merchant and to an administrator', async () => {
    const { alert, as } = await enrolledSite();
    const alertId = await alert();
    const shown = await ask('alerts/alert-details', { as, params: { alert_id: alertId } });
    expect(shown).toMatchObject({
      status: 200,
      body: { alert_id: alertId, mcc: '5732', tx_details: [], history: [{ by: 'provider_a', via: 'intake' }] },
    });
    expect(await ask('alerts/alert-details', { params: { alert_id: alertId } })).toMatchObject({ body: shown.body });
  });

  it('shows whether its answer has reached the provider', async () => {
    const { site, alert, as } = await enrolledSite();
    const alertId = await alert();
    const shown = async () => (await ask('alerts/alert-details', { as, params: { alert_id: alertId } })).body;
    expect(await shown()).toMatchObject({ provider_outcome: null });
    const update = { status: 'RESOLVED', reason_code: '100.001' };
    await recordReplyUpdate({ alertId, sid: site.sid, update, at: '2026-05-02T12:00:00.000Z' });
    const id = `out_a_${alertId}_1`;
    expect(await shown()).toMatchObject({ provider_outcome: { id, state: 'PENDING', attempts: 0, error: null } });
  });

  it('returns the same 404 as a missing one if it has another owner or none', async () => {
    const [{ as }, other] = [await enrolledSite(), await enrolledSite()];
    const inbox = await take('provider_a', { alertId: `A${fresh()}`, merchantDescriptor: 'NOBODY' });
    const absent = await ask('alerts/alert-details', { as, params: { alert_id: 77 } });
    expect(absent).toMatchObject({ status: 404 });
    for (const alert_id of [await other.alert(), inbox.alert_id]) {
      expect(await ask('alerts/alert-details', { as, params: { alert_id } })).toMatchObject({
        status: 404,
        body: absent.body,
      });
    }
    expect(await ask('alerts/alert-details', { params: { alert_id: inbox.alert_id } })).toMatchObject({ status: 200 });
    expect(await ask('alerts/alert-details', { params: { alert_id: 'x' } })).toMatchObject({ status: 400 });
  });
});

describe('the unmatched inbox', () => {
  const unmatched = async (sent: Record<string, unknown> = {}) =>
    (await take('provider_a', { alertId: `A${fresh()}`, merchantDescriptor: 'NOBODY', ...sent })).alert_id;
  const assign = (alert_id: number, sid: number, as: As = 'admin') =>
    ask('alerts/assign-alert', { as, params: { alert_id }, body: { sid } });
  const inbox = async () => (await ask('alerts/list-unmatched', { body: { size: 500 } })).body as Page;

  it('is for administrators', async () => {
    const { site, as } = await enrolledSite();
    expect(await ask('alerts/list-unmatched', { as, body: {} })).toMatchObject({ status: 403 });
    expect(await assign(await unmatched(), site.sid, as)).toMatchObject({ status: 403 });
  });

  it('assigns an alert to a site and notifies that site', async () => {
    const { site, as } = await enrolledSite();
    const alertId = await unmatched();
    expect(await inbox()).toMatchObject({
      list: expect.arrayContaining([
        expect.objectContaining({ alert_id: alertId, unmatched_reason: 'no_match', sid: null }),
      ]),
    });
    expect(await assign(alertId, site.sid)).toMatchObject({ status: 200, body: { status: 'ok', alert_id: alertId } });
    expect(ids(await inbox())).not.toContain(alertId);
    expect(ids(await list({}, as))).toEqual([alertId]);
    const { receivedAt, providerAlert, deadlineAt } = await alertAt(alertId);
    const since = providerAlert.providerDate || receivedAt;
    expect(Date.parse(deadlineAt ?? '') - Date.parse(since)).toBe(86_400_000);
    const { delivery, mail } = await noticesAt(alertId);
    expect(delivery).toMatchObject({ kind: 'new_alert', state: 'PENDING', sid: site.sid });
    expect(mail).toMatchObject({ state: 'PENDING' });
    const { body } = await ask('alerts/alert-details', { as, params: { alert_id: alertId } });
    expect(body).toMatchObject({
      history: [{ via: 'intake' }, { by: 'root', via: 'assignment', change: { to: { sid: site.sid } } }],
    });
  });

  it('counts what it gave up among the duplicates of its site', async () => {
    const { site, alert } = await enrolledSite();
    const arn = makeArn('3'.repeat(22));
    const first = await unmatched({ arn });
    await assign(first, site.sid);
    const second = await alert({ arn });
    expect(await alertAt(second)).toMatchObject({ duplicateOf: first });
    const third = await unmatched({ arn });
    await assign(third, site.sid);
    expect(await alertAt(third)).toMatchObject({ duplicateOf: first });
  });

  it('answers a replay of the case with its owner', async () => {
    const { site } = await enrolledSite();
    const sent = { alertId: `A${fresh()}`, merchantDescriptor: 'NOBODY' };
    const { alert_id } = await take('provider_a', sent);
    await assign(alert_id, site.sid);
    expect(await take('provider_a', sent)).toEqual({ alert_id, is_duplicate: false, matched: true });
    expect(await deliveriesAt(alert_id)).toHaveLength(1);
  });

  it('gives an alert up once', async () => {
    const [one, other] = [await enrolledSite(), await enrolledSite()];
    const alertId = await unmatched();
    const answers = await Promise.all([assign(alertId, one.site.sid), assign(alertId, other.site.sid)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await deliveriesAt(alertId)).toHaveLength(1);
    const [won, lost] = answers[0]?.status === 200 ? [one, other] : [other, one];
    expect(await assign(alertId, lost.site.sid)).toMatchObject({ status: 409 });
    // The same again is done already, as when its answer was lost.
    const { version } = await alertAt(alertId);
    expect(await assign(alertId, won.site.sid)).toMatchObject({ status: 200, body: { alert_id: alertId } });
    expect(await alertAt(alertId)).toMatchObject({ version });
    expect(await deliveriesAt(alertId)).toHaveLength(1);
  });

  it('notifies no site of a case that was withdrawn meanwhile', async () => {
    const { site } = await enrolledSite();
    const sent = { caseId: `B${fresh()}`, descriptor: 'NOBODY' };
    const { alert_id } = await take('provider_b', sent);
    await send('provider_b', { ...sent, status: 'REVOKED' });
    expect(await assign(alert_id, site.sid)).toMatchObject({ status: 200 });
    expect(await noticesAt(alert_id)).toEqual({ delivery: undefined, mail: undefined });
    expect(await alertAt(alert_id)).toMatchObject({ status: 'REVOKED', owner: { sid: site.sid }, deadlineAt: null });
  });

  it('refuses what is not there, or no alert site', async () => {
    const payment = await seedSite({ type: 'payment', alert: null });
    const alertId = await unmatched();
    expect(await assign(77, payment.sid)).toMatchObject({ status: 404, body: { msg: 'No such alert' } });
    expect(await assign(alertId, 999_999)).toMatchObject({ status: 404, body: { msg: 'No such site' } });
    expect(await assign(alertId, payment.sid)).toMatchObject({
      status: 409,
      body: { msg: 'The site is not an alert site' },
    });
    const site = await seedSite({ alert: settings() });
    expect(await whileContended(alertId, () => assign(alertId, site.sid))).toMatchObject({ status: 409 });
    expect(await getItem(keys.alert(alertId))).toMatchObject({ entity: 'UNMATCHED' });
  });
});

it('reads a page in few calls', async () => {
  const { alert, as, site } = await enrolledSite();
  await alert();
  expect(await callsDuring(() => list({ sid: site.sid }, as))).toBeLessThanOrEqual(3);
});

it('says how many a long list of a retailer has, of which no counter counts', async () => {
  const { site, alert } = await enrolledSite();
  await storeLongList(toAlertItem(await alertAt(await alert())));
  expect(await list({ rid: site.rid, size: 5 })).toMatchObject({ totalResult: longList + 1 });
});

it('finds every list by its own index, with filters and without', async () => {
  const { site, alert } = await enrolledSite();
  await alert();
  for (const scope of [{}, { mid: site.mid }, { rid: site.rid }, { sid: site.sid }]) {
    expect((await list({ ...scope, size: 1 })).list).toHaveLength(1);
    expect((await list({ ...scope, size: 1, status: 'OPEN' })).list).toHaveLength(1);
  }
  expect((await list({ mid: site.mid, assignee: 'analyst@shop.example', size: 1 })).list).toEqual([]);
  expect(await ask('alerts/list-unmatched', { body: { size: 1 } })).toMatchObject({ status: 200 });
});

afterAll(() => {
  for (const name of ['alerts/alert-details', 'alerts/assign-alert', 'alerts/list-alerts', 'alerts/list-unmatched']) {
    expectDeclared(name);
  }
});
