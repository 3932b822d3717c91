import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { toMerchantItem } from '#accounts/merchants/merchant/merchant-row.ts';
import type { Site } from '#accounts/merchants/site/site.ts';
import { setClock } from '#core/kernel/clock.ts';
import { keys } from '#core/platform/table/keys.ts';
import { putItem, updateItem } from '#core/platform/table/table.ts';
import { maxRulesPerOwner } from '#disputes/alerts/automatic/rule.ts';
import { seedSite } from '#test/disputes/alerts/seed.ts';
import { ask, beforeTransactions, expectDeclared, useOperations } from '#test/support/operations.ts';
import { always } from './samples.ts';

useOperations();
afterEach(() => setClock());

let site: Site;
beforeEach(async () => {
  site = await seedSite();
  await seedMerchant(site);
});

const seedMerchant = ({ mid }: Site) =>
  putItem(toMerchantItem({ mid, name: 'Merchant', createdAt: '2026-01-01T00:00:00.000Z', profile: {} }));

type Shown = { rule_id: number; version: number; mode: string; enabled: boolean; name: string; versions: Shown[] };
const ruleBody = (change: Record<string, unknown> = {}) => ({
  sid: site.sid,
  name: 'A rule',
  conditions: always,
  action: { type: 'notify' },
  ...change,
});
const done = async <T>(operation: string, change: Parameters<typeof ask>[1]): Promise<T> => {
  const answer = await ask(operation, { as: { mid: site.mid }, ...change });
  expect(answer).toMatchObject({ status: 200 });
  return answer.body as T;
};
const made = (change: Record<string, unknown> = {}) => done<Shown>('rules/create-rule', { body: ruleBody(change) });
const listed = async (owner: Record<string, number> = { sid: site.sid }) =>
  (await done<{ list: Shown[] }>('rules/list-rules', { body: owner })).list;
const idsListed = async () => (await listed()).map(({ rule_id }) => rule_id);

describe('a rule that is made', () => {
  it('is the last of its owner’s, live, and for all providers unless it says otherwise', async () => {
    const first = await made();
    const second = await made({
      mode: 'shadow',
      providers: ['provider_a', 'provider_a'],
      action: { type: 'decline', reason_code: '956.003', comments: 'Sent already' },
    });
    expect(first).toMatchObject({
      version: 1,
      sid: site.sid,
      mid: site.mid,
      mode: 'live',
      enabled: true,
      providers: ['provider_a', 'provider_b', 'service_dummy'],
      conditions: always,
      action: { type: 'notify' },
      updated_by: `merchant-${site.mid}`,
    });
    expect(second).toMatchObject({ mode: 'shadow', providers: ['provider_a'] });
    expect(await listed()).toEqual([first, second]);
  });

  it('may be for all sites of a merchant', async () => {
    const rule = await made({ sid: undefined, mid: site.mid });
    expect(rule).toMatchObject({ sid: null, mid: site.mid });
    expect(await listed({ mid: site.mid })).toEqual([rule]);
    expect(await listed()).toEqual([]);
  });

  it.each([
    ['neither a site nor a merchant', { sid: undefined }, 'give either sid'],
    ['both', { mid: 1 }, 'give either sid'],
    ['no name', { name: ' ' }, 'name: must not be empty'],
    ['conditions that are none', { conditions: { all: [{ fact: 'x' }] } }, 'conditions.all.0.fact'],
    ['a code of another outcome', { action: { type: 'decline', reason_code: '100.001' } }, 'action.reason_code'],
    ['a provider that decides itself', { providers: ['rdr'] }, 'providers.0: must be one of'],
  ])('is refused with %s', async (_, change, details) => {
    const answer = await ask('rules/create-rule', { as: { mid: site.mid }, body: ruleBody(change) });
    expect(answer).toMatchObject({ status: 400, body: { details: expect.stringContaining(details) } });
  });

  it('needs a site that gets alerts, and a merchant that exists', async () => {
    const other = await seedSite({ mid: site.mid, type: null, alert: null });
    expect(await ask('rules/create-rule', { body: ruleBody({ sid: other.sid }) })).toMatchObject({ status: 409 });
    expect(await ask('rules/create-rule', { body: ruleBody({ sid: undefined, mid: 987_654 }) })).toMatchObject({
      status: 404,
    });
  });

  it(`is refused when there are ${maxRulesPerOwner}`, async () => {
    for (let n = 0; n < maxRulesPerOwner; n += 1) await made();
    const answer = await ask('rules/create-rule', { as: { mid: site.mid }, body: ruleBody() });
    expect(answer).toMatchObject({ status: 409, body: { details: expect.stringContaining(String(maxRulesPerOwner)) } });
  });
});

describe('a change of a rule', () => {
  it('makes a version and keeps those before', async () => {
    const { rule_id } = await made();
    await done('rules/update-rule', { params: { id: rule_id }, body: { version: 1, mode: 'shadow' } });
    await done('rules/update-rule', { params: { id: rule_id }, body: { action: { type: 'review' }, enabled: false } });
    const details = await done<Shown>('rules/rule-details', { params: { id: rule_id } });
    expect(details).toMatchObject({ version: 3, mode: 'shadow', enabled: false, action: { type: 'review' } });
    expect(details.versions.map(({ version, mode, enabled }) => [version, mode, enabled])).toEqual([
      [3, 'shadow', false],
      [2, 'shadow', true],
      [1, 'live', true],
    ]);
  });

  it('that changes nothing makes none', async () => {
    const { rule_id } = await made();
    expect(await done('rules/update-rule', { params: { id: rule_id }, body: { mode: 'live' } })).toMatchObject({
      version: 1,
    });
    await done('rules/disable-rule', { params: { id: rule_id } });
    expect(await done('rules/disable-rule', { params: { id: rule_id } })).toMatchObject({ version: 2, enabled: false });
  });

  it('is refused when the caller knew another version', async () => {
    const { rule_id } = await made();
    const body = { version: 2, mode: 'shadow' };
    const answer = await ask('rules/update-rule', { as: { mid: site.mid }, params: { id: rule_id }, body });
    expect(answer).toMatchObject({ status: 409, body: { details: expect.stringContaining('version 1') } });
  });

  it('is checked as a whole: an action must fit providers that are sent without it', async () => {
    const { rule_id } = await made({
      providers: ['provider_a'],
      action: { type: 'decline', reason_code: '956.003' },
    });
    const body = { providers: ['provider_b'] };
    expect(await ask('rules/update-rule', { as: { mid: site.mid }, params: { id: rule_id }, body })).toMatchObject({
      status: 400,
    });
  });
});

describe('the order of rules', () => {
  it('is what is asked for, and no change of a rule', async () => {
    const ids = [(await made()).rule_id, (await made()).rule_id, (await made()).rule_id];
    const [a = 0, b = 0, c = 0] = ids;
    await done('rules/order-rules', { body: { sid: site.sid, rule_ids: [c, a, b] } });
    expect(await idsListed()).toEqual([c, a, b]);
    expect((await listed()).every(({ version }) => version === 1)).toBe(true);
  });

  it.each([
    ['one is left out', (ids: number[]) => ids.slice(1)],
    ['one that does not exist is among them', ([first = 0]: number[]) => [first, 999_999]],
  ])('is refused when %s', async (_, wrong) => {
    const ids = [(await made()).rule_id, (await made()).rule_id];
    const answer = await ask('rules/order-rules', {
      as: { mid: site.mid },
      body: { sid: site.sid, rule_ids: wrong(ids) },
    });
    expect(answer).toMatchObject({ status: 409, body: { details: expect.stringContaining(ids.join(', ')) } });
    expect(await idsListed()).toEqual(ids);
  });

  it('is wrong when it names one twice', async () => {
    const [first, second] = [(await made()).rule_id, (await made()).rule_id];
    const rule_ids = [first, second, String(first)];
    expect(await ask('rules/order-rules', { as: { mid: site.mid }, body: { sid: site.sid, rule_ids } })).toMatchObject({
      status: 400,
      body: { details: `rule_ids: names ${first} more than once` },
    });
  });
});

describe('side by side', () => {
  it('rules that are made are all there, each once', async () => {
    const all = await Promise.all(Array.from({ length: 4 }, () => made()));
    expect((await idsListed()).toSorted()).toEqual(all.map(({ rule_id }) => rule_id).toSorted());
  });

  it('changes of one rule become versions one after the other, and none is lost', async () => {
    const { rule_id } = await made();
    const changes = [{ mode: 'shadow' }, { name: 'Other' }, { action: { type: 'review' } }];
    await Promise.all(changes.map((body) => done('rules/update-rule', { params: { id: rule_id }, body })));
    const details = await done<Shown>('rules/rule-details', { params: { id: rule_id } });
    expect(details).toMatchObject({ version: 4, mode: 'shadow', name: 'Other', action: { type: 'review' } });
    expect(details.versions.map(({ version }) => version)).toEqual([4, 3, 2, 1]);
  });

  it('a new order and a change of a rule both hold', async () => {
    const [a, b] = [await made(), await made()];
    await Promise.all([
      done('rules/order-rules', { body: { sid: site.sid, rule_ids: [b.rule_id, a.rule_id] } }),
      done('rules/disable-rule', { params: { id: a.rule_id } }),
    ]);
    const rules = await listed();
    expect(rules.map(({ rule_id, enabled }) => [rule_id, enabled])).toEqual([
      [b.rule_id, true],
      [a.rule_id, false],
    ]);
  });

  it('of two changes from the same version one is refused', async () => {
    const { rule_id } = await made();
    const answers = await Promise.all(
      ['One', 'Other'].map((name) =>
        ask('rules/update-rule', { as: { mid: site.mid }, params: { id: rule_id }, body: { version: 1, name } }),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  });

  it('return 409 when another writer is always faster', async () => {
    const { rule_id } = await made();
    beforeTransactions(() =>
      updateItem({
        Key: keys.ruleBook(`S${site.sid}`),
        UpdateExpression: 'ADD #version :one',
        ExpressionAttributeNames: { '#version': 'version' },
        ExpressionAttributeValues: { ':one': 1 },
      }),
    );
    const as = { mid: site.mid };
    const answers = [
      await ask('rules/create-rule', { as, body: ruleBody() }),
      await ask('rules/disable-rule', { as, params: { id: rule_id } }),
    ];
    beforeTransactions();
    expect(answers).toMatchObject([{ status: 409 }, { status: 409 }]);
  });
});

describe('another merchant', () => {
  it('finds nothing of a rule, its owner, or what it would do', async () => {
    const { rule_id } = await made();
    const as = { mid: site.mid + 1 };
    const params = { id: rule_id };
    const ids = { rule_ids: [rule_id] };
    const answers = [
      await ask('rules/create-rule', { as, body: ruleBody() }),
      await ask('rules/create-rule', { as, body: ruleBody({ sid: undefined, mid: site.mid }) }),
      await ask('rules/list-rules', { as, body: { sid: site.sid } }),
      await ask('rules/list-rules', { as, body: { mid: site.mid } }),
      await ask('rules/rule-details', { as, params }),
      await ask('rules/update-rule', { as, params, body: { mode: 'shadow' } }),
      await ask('rules/disable-rule', { as, params }),
      await ask('rules/order-rules', { as, body: { sid: site.sid, ...ids } }),
      await ask('rules/order-rules', { as, body: { mid: site.mid, ...ids } }),
      await ask('rules/dry-run', { as, body: { sid: site.sid } }),
      await ask('rules/dry-run', { as, body: { mid: site.mid } }),
    ];
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404));
    expect(await listed()).toMatchObject([{ rule_id, version: 1, mode: 'live' }]);
  });

  it('cannot try another’s rule on its own site', async () => {
    const { rule_id } = await made();
    const other = await seedSite();
    const answer = await ask('rules/dry-run', { as: { mid: other.mid }, body: { sid: other.sid, rule_id } });
    expect(answer).toMatchObject({ status: 404, body: { msg: 'No such rule' } });
  });

  it('receives 404 for an unknown rule, and 409 for a site without alerts', async () => {
    const as = { mid: site.mid };
    expect(await ask('rules/rule-details', { as, params: { id: 999_999 } })).toMatchObject({ status: 404 });
    const none = await seedSite({ type: null, alert: null });
    for (const operation of ['rules/list-rules', 'rules/dry-run']) {
      expect(await ask(operation, { body: { sid: none.sid } })).toMatchObject({ status: 409 });
    }
    expect(await ask('rules/order-rules', { body: { sid: none.sid, rule_ids: [] } })).toMatchObject({ status: 409 });
  });
});

it.each([
  'rules/create-rule',
  'rules/list-rules',
  'rules/rule-details',
  'rules/update-rule',
  'rules/disable-rule',
  'rules/order-rules',
])('%s does and refuses what it declares', expectDeclared);
