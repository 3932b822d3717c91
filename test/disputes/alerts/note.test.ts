import { afterEach, describe, expect, it } from 'vitest';
import { setClock } from '#core/kernel/clock.ts';
import { type HistoryEntry, withNotes } from '#disputes/alerts/history/history.ts';
import { type As, ask, expectDeclared, useOperations } from '#test/support/operations.ts';
import { settings } from './samples.ts';
import { callsDuring, deliveriesAt, fresh, seedClaims, seedSite, take } from './seed.ts';

useOperations();
afterEach(() => setClock());

const withAlert = async () => {
  const site = await seedSite({ alert: settings({ status_update_opt_in: true }) });
  const descriptor = `SHOP ${site.sid}`;
  await seedClaims('provider_a', 'EXACT', descriptor, site);
  const sent = { alertId: `A${fresh()}`, arn: null, authCode: null, merchantDescriptor: descriptor };
  const { alert_id: alertId } = await take('provider_a', sent);
  return { site, alertId, analyst: { mid: site.mid, role: 'analyst' } as const };
};

const note = (alertId: number, as: As, text: string, headers: Record<string, string> = {}) =>
  ask('alerts/note-alert', { as, headers, params: { alert_id: alertId }, body: { note: text } });
type Shown = { status: string; provider_outcome: unknown; history: HistoryEntry[] };
const shown = async (alertId: number) =>
  (await ask('alerts/alert-details', { params: { alert_id: alertId } })).body as Shown;
const readNotes = async (alertId: number) =>
  (await shown(alertId)).history.flatMap(({ change }) => (change.event === 'noted' ? [change.to['note']] : []));

describe('POST /api/v3/service_alerts/alert/{alert_id}/note', () => {
  it("stores a person's note for colleagues, and notifies no site", async () => {
    const { site, alertId, analyst } = await withAlert();
    const before = await deliveriesAt(alertId);
    const calls = await callsDuring(async () => {
      const reply = await note(alertId, analyst, 'The customer will write.');
      expect(reply).toMatchObject({ status: 200, body: { status: 'ok', alert_id: alertId } });
    });
    expect(calls).toBe(2);
    const { history, ...after } = await shown(alertId);
    expect(history.at(-1)).toMatchObject({
      ...{ by: `merchant-${site.mid}`, via: 'dashboard' },
      change: { event: 'noted', from: {}, to: { note: 'The customer will write.' } },
    });
    expect(after).toMatchObject({ status: 'OPEN', provider_outcome: null });
    expect(await deliveriesAt(alertId)).toEqual(before);
  });

  it('does not prevent an answer, and accepts a note on a closed alert', async () => {
    const { site, alertId, analyst } = await withAlert();
    await note(alertId, analyst, 'Before');
    const sent = { sid: site.sid, status: 'DECLINED', reason_code: '902.002' };
    expect(await ask('alerts/answer-alert', { as: analyst, params: { alert_id: alertId }, body: sent })).toMatchObject({
      status: 200,
    });
    expect(await note(alertId, analyst, 'After')).toMatchObject({ status: 200 });
    const { status, history } = await shown(alertId);
    expect(status).toBe('DECLINED');
    expect(history.map(({ change }) => change.to['note'] ?? change.event)).toEqual([
      ...['received', 'Before', 'updated', 'After'],
    ]);
  });

  it('is kept once for a key, however often it is sent, and each time without one', async () => {
    const { alertId, analyst } = await withAlert();
    const key = { 'idempotency-key': 'one wish' };
    const first = await note(alertId, analyst, 'Once', key);
    expect((await note(alertId, analyst, 'Once', key)).body).toEqual(first.body);
    expect(await note(alertId, analyst, 'Something else', key)).toMatchObject({ status: 409 });
    // Another person's key is another key.
    expect(await note(alertId, 'admin', 'By somebody else', key)).toMatchObject({ status: 200 });
    await note(alertId, analyst, 'Again');
    await note(alertId, analyst, 'Again');
    expect((await readNotes(alertId)).toSorted()).toEqual(['Again', 'Again', 'By somebody else', 'Once']);
  });

  it('keeps no card number', async () => {
    const { alertId, analyst } = await withAlert();
    await note(alertId, analyst, 'Paid with 4111 1111 1111 1111.');
    expect(JSON.stringify(await readNotes(alertId))).not.toContain('1111 1111 1111');
  });

  it('knows another merchant’s alert as little as none, and none that no site has yet', async () => {
    const { alertId } = await withAlert();
    const theirs = await note(alertId, { mid: 1 }, 'Mine?');
    expect(theirs).toMatchObject({ status: 404 });
    expect(await note(999_999, { mid: 1 }, 'Mine?')).toEqual(theirs);
    const nobodys = await take('provider_a', { alertId: `A${fresh()}`, merchantDescriptor: 'NOBODY ENROLLED THIS' });
    expect(await note(nobodys.alert_id, 'admin', 'Whose?')).toMatchObject({ status: 404 });
    expect(await readNotes(alertId)).toEqual([]);
  });

  it('reads the merchant’s users only for a note that may mention one', async () => {
    const { alertId, analyst } = await withAlert();
    expect(await callsDuring(() => note(alertId, analyst, 'Ask @nobody'))).toBe(3);
    expect(await callsDuring(() => note(alertId, analyst, 'Mail shop@mail.example'))).toBe(2);
  });

  it('does what it declares', () => expectDeclared('alerts/note-alert'));
});

describe('a history with notes', () => {
  const entry = (at: string, event: HistoryEntry['change']['event']): HistoryEntry => ({
    ...{ at, by: 'ann', via: 'dashboard' },
    change: { event, from: {}, to: {} },
  });
  it('has each where its time says, and never turns round what changed the alert', () => {
    // The second change was written by a function whose clock is behind.
    const changes = [entry('T3', 'received'), entry('T2', 'updated'), entry('T6', 'refunded')];
    const notes = [entry('T7', 'noted'), entry('T1', 'noted'), entry('T5', 'noted')];
    expect(withNotes(changes, notes).map(({ at }) => at)).toEqual(['T1', 'T3', 'T2', 'T5', 'T6', 'T7']);
    expect(withNotes([], notes)).toHaveLength(3);
  });
});
