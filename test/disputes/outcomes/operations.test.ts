import { beforeEach, describe, expect, it } from 'vitest';
import { setClock } from '#core/kernel/clock.ts';
import { keys } from '#core/platform/table/keys.ts';
import { transact, updateItem } from '#core/platform/table/table.ts';
import type { NetworkOutcome } from '#disputes/alerts/answer/network-outcome.ts';
import { changedOutcomeWrite, toOutcomeItem } from '#disputes/alerts/answer/network-outcome-row.ts';
import { expireOutcome, leftToPerson, outcomeAfterAttempt } from '#disputes/outcomes/outcome-changes.ts';
import { seedSite } from '#test/disputes/alerts/seed.ts';
import { longList, storeLongList } from '#test/support/long-list.ts';
import { ask, beforeTransactions, expectDeclared, useOperations } from '#test/support/operations.ts';
import { answer, outcomeAt, readHistory, seedAlert, site, useNetworks } from './fixture.ts';
import { anAttempt, answeredAt, inProgress, minutesAfter, resolved } from './samples.ts';

/** The outcomes that people see and correct. */

useOperations();
useNetworks();
const merchant = { mid: site.mid };
const otherTenant = { mid: 4242 };

let at = answeredAt;
let round = 0;
beforeEach(() => {
  round += 1;
  at = minutesAfter(round * 60);
  setClock(() => Date.parse(at));
  beforeTransactions();
});

const answered = async (update: object = resolved): Promise<NetworkOutcome> => {
  const { alertId } = await seedAlert(minutesAfter(-60, at));
  expect(await answer(alertId, { ...update }, at)).toBe(true);
  return outcomeAt(alertId);
};
const put = async (outcome: NetworkOutcome): Promise<NetworkOutcome> => {
  await transact({ row: changedOutcomeWrite(outcome) });
  return outcome;
};
const manual = async () => put(leftToPerson(await answered(), at));
const tried = async () => put(outcomeAfterAttempt(await answered(), anAttempt('failed', at), null, at));
const accepted = async () => put(outcomeAfterAttempt(await answered(), anAttempt('accepted', at), null, at));

describe('the list', () => {
  const list = async (body: object, as: 'admin' | { mid: number } = 'admin') => {
    const reply = await ask('outcomes/list-outcomes', { as, body });
    expect(reply.status).toBe(200);
    return (reply.body as { list: { id: string; state: string }[] }).list;
  };

  it('is filtered by state, provider, merchant, site, alert and date', async () => {
    const [one, other] = [await manual(), await tried()];
    const ids = async (body: object) => (await list({ date_from: at, ...body })).map(({ id }) => id);
    expect(await ids({})).toEqual(expect.arrayContaining([one.id, other.id]));
    expect(await ids({ state: 'MANUAL' })).toEqual([one.id]);
    expect(await ids({ state: ['PENDING'], provider: 'provider_a' })).toEqual([other.id]);
    expect(await ids({ provider: 'provider_b' })).toEqual([]);
    expect(await ids({ sid: site.sid, state: 'MANUAL' })).toEqual([one.id]);
    expect(await ids({ mid: site.mid, state: 'MANUAL' })).toEqual([one.id]);
    expect(await ids({ alert_id: other.alertId })).toEqual([other.id]);
    expect(await ids({ alert_id: other.alertId, state: 'MANUAL' })).toEqual([]);
    expect(await ids({ alert_id: other.alertId, state: 'PENDING', provider: 'provider_a' })).toEqual([other.id]);
    expect(await ids({ alert_id: other.alertId, sid: 99 })).toEqual([]);
    expect(await list({ date_to: minutesAfter(-1, at), alert_id: one.alertId })).toEqual([]);
  });

  it('has one that waits for its first attempt in the list of its alert, one that waits behind another in all', async () => {
    const { id, alertId } = await answered({ ...inProgress });
    const ids = async (body: object) => (await list({ date_from: at, ...body })).map((one) => one.id);
    expect(await ids({ alert_id: alertId })).toEqual([id]);
    expect(await ids({ alert_id: alertId, state: 'PENDING' })).toEqual([id]);
    expect(await ids({ sid: site.sid })).toEqual([]);
    expect(await answer(alertId, { ...resolved }, at)).toBe(true);
    const second = await outcomeAt(alertId, 2);
    expect(await ids({ sid: site.sid, state: 'PENDING' })).toEqual([second.id]);
    expect(await ids({ alert_id: alertId, state: ['PENDING'], size: 1 })).toHaveLength(1);
    expect((await ids({ alert_id: alertId, state: ['PENDING'] })).toSorted()).toEqual([id, second.id]);
  });

  it('shows for each outcome what its provider has received', async () => {
    const { id, alertId } = await accepted();
    expect(await list({ alert_id: alertId })).toEqual([
      {
        ...{ id, alert_id: alertId, provider: 'provider_a', provider_case_id: expect.any(String) },
        ...{ sid: site.sid, mid: site.mid, state: 'ACCEPTED', final: true, status: 'RESOLVED', reason_code: '100.001' },
        ...{ created_at: at, sent_at: at, accepted_at: at, next_attempt_at: null, expires_at: expect.any(String) },
        ...{ attempts: 1, error: null },
      },
    ]);
  });

  it('shows a merchant their own alone', async () => {
    const { alertId } = await answered();
    expect(await list({ alert_id: alertId }, merchant)).toHaveLength(1);
    expect(await list({}, otherTenant)).toEqual([]);
    const refused = async (body: object) => (await ask('outcomes/list-outcomes', { as: otherTenant, body })).status;
    expect([
      await refused({ mid: site.mid }),
      await refused({ sid: site.sid }),
      await refused({ alert_id: alertId }),
    ]).toEqual(Array(3).fill(404));
    const own = await seedSite({ mid: otherTenant.mid });
    expect(await list({ sid: own.sid }, otherTenant)).toEqual([]);
  });

  it('says how many a long one has', async () => {
    const outcome = await tried();
    await storeLongList(toOutcomeItem({ ...outcome, mid: 777 }));
    const reply = await ask('outcomes/list-outcomes', { as: 'admin', body: { mid: 777, size: 5 } });
    expect(reply.body).toMatchObject({ totalResult: longList });
  });

  it('does what it declares', () => expectDeclared('outcomes/list-outcomes'));
});

describe('the details', () => {
  it('show each attempt, and what was said', async () => {
    const made = await answered({
      ...resolved,
      comments: 'sorry',
      alert_outcome_amount: '361.56',
      alert_outcome_currency: 'USD',
    });
    const { id } = await put(outcomeAfterAttempt(made, anAttempt('unknown', at), null, at));
    expect((await ask('outcomes/outcome-details', { as: merchant, params: { id } })).body).toMatchObject({
      ...{ id, state: 'PENDING', comments: 'sorry', alert_outcome_amount: '361.56', marked: null, attempts: 1 },
      attempt_list: [{ at, result: 'unknown', status: 503, error: 'It answered 503' }],
    });
  });

  it('are hidden from other merchants', async () => {
    const { id } = await answered();
    const theirs = await ask('outcomes/outcome-details', { as: otherTenant, params: { id } });
    const nobodys = await ask('outcomes/outcome-details', { as: otherTenant, params: { id: 'out_a_1_1' } });
    expect([theirs.status, theirs.body]).toEqual([404, nobodys.body]);
    expect((await ask('outcomes/outcome-details', { params: { id: 'ntf_1' } })).status).toBe(404);
  });

  it('of the alert name the latest', async () => {
    const { alertId, id } = await answered(inProgress);
    const outcome = async () =>
      (
        (await ask('alerts/alert-details', { as: merchant, params: { alert_id: alertId } })).body as Record<
          string,
          unknown
        >
      )['provider_outcome'];
    expect(await outcome()).toEqual({
      id,
      state: 'PENDING',
      sent_at: null,
      accepted_at: null,
      attempts: 0,
      error: null,
    });
    await answer(alertId, { ...resolved }, at);
    expect(await outcome()).toMatchObject({ id: id.replace(/_1$/, '_2') });
    const open = await seedAlert(at);
    const reply = await ask('alerts/alert-details', { as: merchant, params: { alert_id: open.alertId } });
    expect(reply.body).toMatchObject({ provider_outcome: null });
  });

  it('do what they declare', () => expectDeclared('outcomes/outcome-details'));
});

describe('a replay', () => {
  const replay = (id: string, as: 'admin' | { mid: number } = merchant) =>
    ask('outcomes/replay-outcome', { as, params: { id }, body: {} });

  it('makes the outcome due immediately, and records who requested it', async () => {
    const { id, alertId } = await put(expireOutcome(await answered(), at));
    expect(await replay(id)).toMatchObject({ status: 200, body: { status: 'ok', id, state: 'PENDING' } });
    expect(await outcomeAt(alertId)).toMatchObject({ state: 'PENDING', nextAttemptAt: at });
    expect((await readHistory(alertId)).at(-1)).toMatchObject({
      ...{ by: 'merchant-1', via: 'outcomes' },
      change: {
        event: 'outcome sent again',
        from: { provider_outcome: 'EXPIRED' },
        to: { provider_outcome: 'PENDING' },
      },
    });
  });

  it('is refused for what the provider has, what was overtaken, and what it took back', async () => {
    const { id } = await accepted();
    expect(await replay(id)).toMatchObject({ status: 409, body: { details: 'It is ACCEPTED.' } });
    const before = await answered(inProgress);
    await answer(before.alertId, { ...resolved }, at);
    expect(await replay(before.id)).toMatchObject({ status: 409, body: { details: expect.stringContaining('later') } });
    const withdrawn = await manual();
    await updateItem({
      Key: keys.alert(withdrawn.alertId),
      UpdateExpression: 'SET alert.withdrawnAt = :at',
      ExpressionAttributeValues: { ':at': at },
    });
    expect(await replay(withdrawn.id)).toMatchObject({
      status: 409,
      body: { details: expect.stringContaining('taken') },
    });
    expect((await replay(id, otherTenant)).status).toBe(404);
  });

  it('is refused for the final answer to a case that was opened again, and accepted for one in progress', async () => {
    const reopen = async ({ alertId }: NetworkOutcome) =>
      updateItem({
        Key: keys.alert(alertId),
        UpdateExpression: 'SET alert.#status = :open',
        ExpressionAttributeNames: { '#status': 'status' },
        ExpressionAttributeValues: { ':open': 'WIP' },
      });
    const final = await manual();
    await reopen(final);
    expect(await replay(final.id)).toMatchObject({
      status: 409,
      body: { details: 'The provider has opened the case again.' },
    });
    const waiting = await put(leftToPerson(await answered(inProgress), at));
    expect(await replay(waiting.id)).toMatchObject({ status: 200 });
  });

  it('returns 409 when another writer is always faster', async () => {
    const { id } = await manual();
    beforeTransactions(() =>
      updateItem({
        Key: keys.outcome(id),
        UpdateExpression: 'ADD #version :one',
        ExpressionAttributeNames: { '#version': 'version' },
        ExpressionAttributeValues: { ':one': 1 },
      }),
    );
    expect((await replay(id)).status).toBe(409);
  });

  it('does what it declares', () => expectDeclared('outcomes/replay-outcome'));
});

describe('a mark', () => {
  const mark = (id: string, body: object, as: 'admin' | { mid: number } = 'admin') =>
    ask('outcomes/mark-outcome', { as, params: { id }, body });

  it('says what a person did at the provider; the same again does nothing', async () => {
    const { id, alertId } = await manual();
    const body = { state: 'ACCEPTED', note: 'card 4242424242424242, case 7' };
    expect(await mark(id, body)).toMatchObject({ status: 200, body: { state: 'ACCEPTED' } });
    const after = await outcomeAt(alertId);
    expect(after).toMatchObject({ acceptedAt: at, lateAt: null, mark: { by: 'root', at } });
    expect(JSON.stringify(after)).not.toContain('4242424242424242');
    expect((await readHistory(alertId)).at(-1)).toMatchObject({
      by: 'root',
      change: {
        event: 'outcome marked',
        to: { provider_outcome: 'ACCEPTED', note: expect.stringContaining('case 7') },
      },
    });
    expect((await mark(id, body)).status).toBe(200);
    expect(await outcomeAt(alertId)).toEqual(after);
  });

  it('may say that it was refused, and then that it was taken', async () => {
    const { id, alertId } = await manual();
    expect((await mark(id, { state: 'REFUSED' })).body).toMatchObject({ state: 'REFUSED' });
    expect((await mark(id, { state: 'REFUSED', note: 'case 7' })).body).toMatchObject({ state: 'REFUSED' });
    expect(await outcomeAt(alertId)).toMatchObject({ mark: { note: 'case 7' } });
    expect((await mark(id, { state: 'ACCEPTED' })).body).toMatchObject({ state: 'ACCEPTED' });
    expect(await mark(id, { state: 'REFUSED' })).toMatchObject({ status: 409 });
  });

  it('is refused while it is being sent, and for a merchant', async () => {
    const { id } = await answered();
    expect(await mark(id, { state: 'ACCEPTED' })).toMatchObject({
      status: 409,
      body: { details: expect.stringContaining('PENDING') },
    });
    expect((await mark(id, { state: 'ACCEPTED' }, merchant)).status).toBe(403);
    expect((await mark('out_a_1_1', { state: 'ACCEPTED' })).status).toBe(404);
    expect((await mark(id, { state: 'PENDING' })).status).toBe(400);
  });

  it('returns 409 when another writer is always faster', async () => {
    const { id } = await manual();
    beforeTransactions(() =>
      updateItem({
        Key: keys.outcome(id),
        UpdateExpression: 'ADD #version :one',
        ExpressionAttributeNames: { '#version': 'version' },
        ExpressionAttributeValues: { ':one': 1 },
      }),
    );
    expect((await mark(id, { state: 'ACCEPTED' })).status).toBe(409);
  });

  it('does what it declares', () => expectDeclared('outcomes/mark-outcome'));
});
