import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Site } from '#accounts/merchants/site/site.ts';
import { milliseconds, nowIso, setClock } from '#core/kernel/clock.ts';
import { settleDispute } from '#disputes/holds/dispute-hold-store.ts';
import { ruleProviders } from '#disputes/providers/providers.ts';
import { type HourTally, type PastAlert, tallyHour } from '#disputes/rules/dry-run/dry-run.ts';
import { runDry } from '#disputes/rules/dry-run/dry-run-store.ts';
import { countVolumes } from '#disputes/rules/volume/volume-store.ts';
import type { Tenant } from '#test/accounts/merchants/tenant.ts';
import { settings } from '#test/disputes/alerts/samples.ts';
import { alertAt, fresh, seedClaims, seedSite, take } from '#test/disputes/alerts/seed.ts';
import { newShop, pay, testCards } from '#test/payments/transactions/shop.ts';
import { paymentAt, useSandbox } from '#test/payments/transactions/support.ts';
import { makeArn } from '#test/support/arns.ts';
import { ask, expectDeclared, useOperations } from '#test/support/operations.ts';
import { always, amountBelow } from './samples.ts';

useOperations();
useSandbox();
afterEach(() => setClock());

let shop: Tenant;
let site: Site;
beforeEach(async () => {
  shop = await newShop();
  site = await seedSite({ mid: shop.mid });
});

const done = async <T>(operation: string, change: Parameters<typeof ask>[1]): Promise<T> => {
  const answer = await ask(operation, { as: { mid: site.mid }, ...change });
  expect(answer).toMatchObject({ status: 200 });
  return answer.body as T;
};
const made = (change: Record<string, unknown> = {}) => {
  const body = { sid: site.sid, name: 'A rule', conditions: always, action: { type: 'notify' }, ...change };
  return done<{ rule_id: number }>('rules/create-rule', { body });
};

type Run = {
  list: {
    alert_id: number;
    sid: number;
    alert_date: string;
    would: string;
    reason: string | null;
    rule_id: number | null;
    refund_amount: string | null;
    refund_currency: string | null;
  }[];
  evaluated: number;
  matched: number;
  totals: unknown[];
  next_cursor: string | null;
};

describe('a dry run', () => {
  const start = Date.parse('2026-05-02T10:00:00Z');
  const at = (minutes: number) => setClock(() => start + minutes * milliseconds.minute);
  const card = { cardBin: testCards.good.slice(0, 6), cardLast4: testCards.good.slice(-4) };
  /** An alert of the site about a payment that is made for it. */
  const paid = async (value: string, change: Record<string, unknown> = {}) => {
    const { txid } = await pay(shop, value);
    const { authCode, arn } = await paymentAt(txid);
    const transactionTimestamp = nowIso();
    return { txid, sent: { ...card, ...money(value), arn: arn ?? '', authCode, transactionTimestamp, ...change } };
  };
  /** Alerts of the site, ten minutes apart, counted as the stream counts them. */
  const alerts = async (...changes: Record<string, unknown>[]) => {
    await seedClaims('provider_a', 'EXACT', `SHOP ${site.sid}`, site);
    const ids: number[] = [];
    for (const [index, change] of changes.entries()) {
      at(10 * index);
      const arn = makeArn(fresh());
      const sent = { alertId: `D${fresh()}`, merchantDescriptor: `SHOP ${site.sid}`, arn, authCode: '', ...change };
      const { alert_id } = await take('provider_a', sent);
      await countVolumes([await alertAt(alert_id)]);
      ids.push(alert_id);
    }
    at(1000);
    return ids;
  };
  const money = (value: string, currencyCode = 'USD') => ({ amount: { value, currencyCode } });
  const run = (body: Record<string, unknown>) => done<Run>('rules/dry-run', { body: { sid: site.sid, ...body } });

  it('tells what a rule would have done, cost and saved', async () => {
    site = await seedSite({ ...site, alert: settings({ max_refund_amount: '100.00' }) });
    at(0);
    const payments = [await paid('20.00'), await paid('30.00')].map(({ sent }) => sent);
    const ids = await alerts(...payments, money('200.00'), money('15.00', 'EUR'));
    const below = { all: [{ fact: 'amount', operator: 'lessThan', value: 150 }] };
    const result = await run({ rule: { conditions: below, action: { type: 'refund' } } });
    expect(result).toMatchObject({ evaluated: 4, matched: 3, next_cursor: null });
    expect(result.list.map(({ alert_id, would, reason }) => [ids.indexOf(alert_id), would, reason])).toEqual([
      [0, 'refund', null],
      [1, 'refund', null],
      [3, 'leave_to_merchant', 'max_refund_amount_of_other_currency'],
    ]);
    expect(result.totals).toEqual([{ currency: 'USD', refunded: '50.00', saved: '80.00' }]);
  });

  it('keeps to a day’s refunds, duplicates and test alerts as the real thing does', async () => {
    site = await seedSite({ ...site, alert: settings({ max_daily_refunds: 1 }) });
    at(0);
    const { sent } = await paid('10.00');
    await alerts(sent, sent, (await paid('11.00')).sent, (await paid('12.00')).sent);
    const result = await run({ rule: { conditions: always, action: { type: 'refund' } } });
    expect(result.list.map(({ would, reason }) => reason ?? would)).toEqual([
      'refund',
      'duplicate',
      'daily_cap',
      'daily_cap',
    ]);
  });

  it('counts a day’s refunds on from page to page, each site’s and each day’s for itself', async () => {
    const sites = [
      await seedSite({ ...site, alert: settings({ max_daily_refunds: 2 }) }),
      await seedSite({ mid: site.mid, alert: settings({ max_daily_refunds: 3 }) }),
    ];
    for (const [index, minutes] of [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 1000, 1001, 1002].entries()) {
      site = sites[index % 2] ?? site;
      setClock(() => start + minutes * milliseconds.minute);
      await seedClaims('provider_a', 'EXACT', `SHOP ${site.sid}`, site);
      const { sent } = await paid(`${10 + index}.00`);
      await take('provider_a', { alertId: `D${fresh()}`, merchantDescriptor: `SHOP ${site.sid}`, ...sent });
    }
    at(2000);
    const body = { sid: undefined, mid: site.mid, rule: { conditions: always, action: { type: 'refund' } } };
    const whole = await run(body);
    const refundsOf = ({ list }: Run, sid: number, day: string) =>
      list.filter((one) => one.sid === sid && one.alert_date.startsWith(day) && one.would === 'refund').length;
    expect(sites.map(({ sid }) => refundsOf(whole, sid, '2026-05-02'))).toEqual([2, 3]);
    expect(sites.map(({ sid }) => refundsOf(whole, sid, '2026-05-03'))).toEqual([2, 1]);
    for (const size of [1, 3, 4]) {
      const list: Run['list'] = [];
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const page: Run = await run({ ...body, size, ...(cursor && { cursor }) });
        list.push(...page.list);
        cursor = page.next_cursor;
      }
      expect(list).toEqual(whole.list);
    }
  });

  it('counts the alerts that lack a fact which the rule compares', async () => {
    site = await seedSite({ ...site, alert: settings({}) });
    await alerts(money('20.00'), money('21.00', 'EUR'), money('22.00', 'EUR'));
    const comparisons = [
      { fact: 'amount', operator: 'lessThan', value: 150, params: { currency: 'USD' } },
      { fact: 'delivery_status', operator: 'notEqual', value: 'delivered' },
      { fact: 'currency', operator: 'equal', value: 'usd' },
    ];
    const result = await run({ rule: { conditions: { any: comparisons }, action: { type: 'notify' } } });
    expect(result).toMatchObject({
      evaluated: 3,
      not_compared: [
        { fact: 'amount(USD)', alerts: 2 },
        { fact: 'delivery_status', alerts: 3 },
      ],
    });
  });

  it('takes no cursor but its own', async () => {
    await alerts({}, {});
    const body = { sid: site.sid, rule: { conditions: always, action: { type: 'refund' } }, size: 1 };
    const { next_cursor: cursor } = await run(body);
    const other = (text: string) => `${String(cursor).split('.')[0]}.${Buffer.from(text).toString('base64url')}`;
    for (const wrong of [`${cursor}.`, `${cursor}.x`, other('7'), other('7:-1'), other('7:1;8:1'), 'x.y']) {
      expect(await ask('rules/dry-run', { as: { mid: site.mid }, body: { ...body, cursor: wrong } })).toMatchObject({
        status: 400,
        body: { details: expect.stringMatching(/^cursor: /) },
      });
    }
  });

  it('is about one rule, a stored one or one that is sent along', async () => {
    const { rule_id } = await made();
    const body = { sid: site.sid, rule_id, rule: { conditions: always, action: { type: 'review' } } };
    expect(await ask('rules/dry-run', { as: { mid: site.mid }, body })).toMatchObject({
      status: 400,
      body: { details: 'rule_id: give either rule_id or rule, not both' },
    });
  });

  it('asks the rules there are in order, or one of them alone, disabled or not', async () => {
    await alerts(money('20.00'), money('80.00'));
    const small = await made({ conditions: amountBelow(50), action: { type: 'resolve', reason_code: '100.001' } });
    const rest = await made({ sid: undefined, mid: site.mid, action: { type: 'review' } });
    const off = await made({ enabled: false, action: { type: 'decline', reason_code: '902.002' } });
    const chargeback_cost = { amount: '10', currency: 'USD' };
    const all = await run({ chargeback_cost });
    expect(all.list.map(({ rule_id, would }) => [rule_id, would])).toEqual([
      [small.rule_id, 'resolve'],
      [rest.rule_id, 'review'],
    ]);
    expect(all.totals).toEqual([{ currency: 'USD', refunded: '0.00', saved: '30.00' }]);
    const one = await run({ rule_id: off.rule_id });
    expect(one.list.map(({ rule_id, would }) => [rule_id, would])).toEqual([
      [off.rule_id, 'decline'],
      [off.rule_id, 'decline'],
    ]);
    expect(one.totals).toEqual([]);
    expect(
      await ask('rules/dry-run', { as: { mid: site.mid }, body: { sid: site.sid, rule_id: rest.rule_id } }),
    ).toMatchObject({
      status: 404,
    });
  });

  it('knows the volumes as they were when each alert came', async () => {
    await alerts({}, {}, { cardLast4: '2222' }, {});
    const third = {
      all: [{ fact: 'volume_count', operator: 'equal', value: 3, params: { of: 'card', window: '1h' } }],
    };
    const result = await run({ rule: { conditions: third, action: { type: 'review' } } });
    expect(result).toMatchObject({ evaluated: 4, matched: 1 });
  });

  it('goes on from page to page, of a merchant’s sites too, and leaves out what is older', async () => {
    const ids = await alerts({}, {}, {});
    const body = { sid: undefined, mid: site.mid, rule: { conditions: always, action: { type: 'review' } }, size: 2 };
    const first = await run(body);
    const second = await run({ ...body, cursor: first.next_cursor });
    expect([...first.list, ...second.list].map(({ alert_id }) => alert_id)).toEqual(ids);
    expect(second.next_cursor).toBeNull();
    setClock(() => start + 40 * milliseconds.day);
    expect(await run({ rule: body.rule })).toMatchObject({ evaluated: 0, list: [] });
  });

  describe('of a rule that refunds', () => {
    const refunds = { rule: { conditions: always, action: { type: 'refund' } } };
    const alertOf = async (change: Record<string, unknown>) => {
      const [id = 0] = await alerts(change);
      return id;
    };
    const verdict = async (body: Record<string, unknown> = refunds) => (await run(body)).list.map(shown);
    const shown = ({ would, reason, refund_amount: amount, refund_currency: currency }: Run['list'][number]) =>
      amount === null ? [would, reason] : [would, reason, amount, currency];
    beforeEach(() => at(0));

    it('says that nothing was found, and whether there is a processor at all', async () => {
      await alertOf(money('20.00'));
      expect(await verdict()).toEqual([['leave_to_merchant', 'no_processor']]);
      await pay(shop, '21.00');
      expect(await run(refunds)).toMatchObject({
        list: [{ would: 'leave_to_merchant', reason: 'no_transaction' }],
        totals: [],
      });
    });

    it('says that several payments are possible', async () => {
      await pay(shop, '20.00');
      const { sent } = await paid('20.00', { authCode: '', arn: '' });
      await alertOf(sent);
      expect(await verdict()).toEqual([['leave_to_merchant', 'several_matches']]);
    });

    it('says what is left of the payment, and that it is gone', async () => {
      const { txid, sent } = await paid('20.00');
      await alertOf(sent);
      const refund = (amount: string) =>
        ask('refunds/processrefund', { as: shop.as, params: { parentxid: txid }, body: { amount, currency: 'USD' } });
      expect(await refund('15.00')).toMatchObject({ status: 200 });
      const partly = await run(refunds);
      expect(partly.list.map(shown)).toEqual([['refund', null, '5.00', 'USD']]);
      expect(partly.totals).toEqual([{ currency: 'USD', refunded: '5.00', saved: '35.00' }]);
      expect(await refund('5.00')).toMatchObject({ status: 200 });
      expect(await verdict()).toEqual([['resolve', 'already_refunded']]);
      const leaves = { rule: { conditions: always, action: { type: 'refund', already: 'leave' } } };
      expect(await verdict(leaves)).toEqual([['leave_to_merchant', 'already_refunded']]);
    });

    it('counts what the alert itself was refunded with as not refunded yet', async () => {
      const { txid, sent } = await paid('20.00');
      const id = await alertOf(sent);
      await settleDispute(id);
      const body = { amount: '20.00', currency: 'USD', alert_id: id };
      expect(await ask('refunds/processrefund', { as: shop.as, params: { parentxid: txid }, body })).toMatchObject({
        status: 200,
      });
      expect(await verdict()).toEqual([['refund', null, '20.00', 'USD']]);
    });

    it('asks a processor that does not answer once, and says so of each alert', async () => {
      await alerts(...Array.from({ length: 7 }, () => ({})));
      let asked = 0;
      const find = async () => {
        asked += 1;
        return { found: 'unavailable' as const, transactions: [] };
      };
      const rule = { providers: ruleProviders, conditions: always, action: { type: 'refund' as const } };
      const wanted = { rule, days: 30, size: 100, chargeback_cost: { amount: '15.00', currency: 'USD' } };
      const { list } = await runDry(site, wanted, nowIso(), find);
      expect(list.map(({ reason }) => reason)).toEqual(Array.from({ length: 7 }, () => 'connection_unavailable'));
      expect(asked).toBe(5);
    });

    it("looks at the merchant's own processors, on pages of twenty alerts", async () => {
      const connections = [{ kind: 'sandbox', label: 'Trial' }];
      const set = { as: shop.as, params: { mid: shop.mid }, body: { connections } };
      expect(await ask('connections/set-connections', set)).toMatchObject({ status: 200 });
      const sample = { arn: '', cardBin: '411111', cardLast4: '1111', transactionTimestamp: '2026-05-02T01:00:00Z' };
      await alerts(
        { ...sample, ...money('45.20'), authCode: '100202' },
        ...Array.from({ length: 20 }, () => ({ ...sample, ...money('1.23') })),
      );
      const first = await run({ ...refunds });
      expect(first).toMatchObject({ evaluated: 20, next_cursor: expect.any(String) });
      expect(first.list.slice(0, 2).map(shown)).toEqual([
        ['refund', null, '45.20', 'USD'],
        ['leave_to_merchant', 'no_transaction'],
      ]);
      expect(await run({ ...refunds, cursor: first.next_cursor })).toMatchObject({ evaluated: 1, next_cursor: null });
    });
  });
});

it('does and refuses what it declares', () => expectDeclared('rules/dry-run'));

it('counts neither tests, duplicates nor notices among the alerts of an hour', () => {
  const alert: PastAlert = {
    ...{ sid: 1, alert_type: 'CUSTOMER_DISPUTE', alert_date: '2026-05-02T10:15:00.000Z', descriptor: 'SHOP' },
    ...{ amount: '5.00', currency: 'USD', card: '424242xxxxxx4242', test: false },
    is_duplicate: 'no',
  };
  const countsOf = (...alerts: PastAlert[]): number[] => {
    const tally: HourTally = new Map();
    for (const one of alerts) tallyHour(tally, one);
    return [...tally.values()].map((hour) => [...hour.values()][0] ?? 0);
  };
  expect(new Set(countsOf(alert, alert))).toEqual(new Set([2]));
  expect(
    countsOf({ ...alert, test: true }, { ...alert, is_duplicate: 'yes' }, { ...alert, alert_type: 'FRAUD_NOTICE' }),
  ).toEqual([]);
});
