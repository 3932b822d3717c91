import { beforeEach, describe, expect, it } from 'vitest';
import { setClock } from '#core/kernel/clock.ts';
import { putItem } from '#core/platform/table/table.ts';
import { isForRdr, rdrFactsOf, rdrTotals } from '#disputes/chargebacks/automatic/past-verdict.ts';
import { chargebackWrite } from '#disputes/chargebacks/chargeback-row.ts';
import { movesMoneyByItself } from '#disputes/rules/decide/rule-fields.ts';
import type { Tenant } from '#test/accounts/merchants/tenant.ts';
import { newShop } from '#test/payments/transactions/shop.ts';
import { ask, useOperations } from '#test/support/operations.ts';

/** Rules for Visa's Rapid Dispute Resolution: tried on past disputes, and given to the acquirer as text. */

useOperations();

const dispute = {
  ...{ amount: '40.00', currency: 'USD', reasonCode: '13.1', network: 'visa', status: 'lost', evidence: null },
  stage: 'chargeback',
} as const;
type Dispute = Parameters<typeof isForRdr>[0];
const like = (change: object) => ({ ...dispute, ...change }) as Dispute;

describe('a past dispute', () => {
  it.each([
    [{}, true],
    [{ network: 'Visa' }, true],
    [{ network: '', reasonCode: '10.4' }, true],
    [{ network: '', reasonCode: '4853' }, false],
    [{ network: 'mastercard', reasonCode: '4837' }, false],
    [{ network: 'amex', reasonCode: 'C08' }, false],
    [{ stage: 'inquiry' }, false],
    [{ stage: 'inquiry', status: 'refunded_by_network' }, true],
  ])('with %j could have been decided by RDR: %s', (change, expected) => {
    expect(isForRdr(like(change))).toBe(expected);
  });

  it.each([
    ['13.1', { category: '13', claim: 'not_received' }],
    ['10.4', { category: '10', claim: 'fraud' }],
    ['12.6.1', { category: '12' }],
    ['fraudulent', { category: null, claim: 'fraud' }],
  ])('of condition %s has the facts %j', (reasonCode, facts) => {
    expect(rdrFactsOf(like({ reasonCode }))).toMatchObject(facts);
  });

  it('counts by how it ended, next to what the network has refunded', () => {
    const judged = (change: object, isRefunded: boolean) => ({ chargeback: like(change), isRefunded });
    const evidence = { at: '2026-05-01T00:00:00.000Z' };
    expect(
      rdrTotals([
        judged({ status: 'won', amount: '10.00' }, true),
        judged({ status: 'lost', amount: '20.00' }, true),
        judged({ status: 'lost', amount: '30.00', evidence }, true),
        judged({ status: 'open', amount: '5.00' }, true),
        judged({ status: 'refunded_by_network', amount: '7.00' }, true),
        judged({ status: 'refunded_by_network', amount: '9.00' }, false),
        judged({ status: 'won', amount: '500', currency: 'JPY' }, true),
      ]),
    ).toMatchObject([
      {
        ...{ currency: 'USD', would_refund: '72.00', won: '10.00', lost: '30.00', pending: '5.00' },
        ...{ uncontested: '20.00', by_network: '16.00', by_network_only: '9.00' },
      },
      { currency: 'JPY', would_refund: '500', won: '500', by_network: '0' },
    ]);
  });
});

describe('rules for RDR', () => {
  let shop: Tenant;
  beforeEach(async () => {
    setClock(() => Date.parse('2026-05-02T12:00:00.000Z'));
    shop = await newShop({}, { cbm: true });
  });
  const small = {
    all: [
      { fact: 'amount', operator: 'lessThan', value: 25, params: { currency: 'USD' } },
      {
        any: [
          { fact: 'category', operator: 'in', value: ['12', '13'] },
          { fact: 'claim', operator: 'equal', value: 'fraud' },
        ],
      },
    ],
  };
  const create = (change: object = {}) =>
    ask('rules/create-rule', {
      as: shop.as,
      body: {
        mid: shop.mid,
        about: 'rdr',
        name: 'Small ones',
        conditions: small,
        action: { type: 'accept' },
        ...change,
      },
    });

  it('are given to the acquirer as text, the enabled ones in their order', async () => {
    await create({
      name: 'Keep friends',
      action: { type: 'review' },
      conditions: { not: { all: [{ fact: 'currency', operator: 'equal', value: 'usd' }] } },
    });
    await create();
    await create({ name: 'Off', enabled: false });
    await create({ name: 'Only recorded', mode: 'shadow' });
    const { body } = await ask('rules/list-rules', { as: shop.as, body: { mid: shop.mid, about: 'rdr' } });
    expect((body as { text: string }).text.split('\n')).toEqual([
      'Rules for Visa Rapid Dispute Resolution (RDR), in this order; the first that applies decides:',
      '1. DECLINE (let the dispute continue) IF NOT Currency code = USD  [Keep friends]',
      '2. ACCEPT (refund the cardholder) IF Transaction amount < 25 USD AND (Dispute category is one of 12, 13 OR Kind of claim = fraud)  [Small ones]',
      'Otherwise: DECLINE (let the dispute continue).',
    ]);
    const others = await ask('rules/list-rules', { as: shop.as, body: { mid: shop.mid, about: 'chargebacks' } });
    expect(others.body).toEqual({ list: [], totalResult: 0 });
  });

  it.each([
    ['a fact that RDR does not know', { conditions: { all: [{ fact: 'delivered', operator: 'equal', value: true }] } }],
    [
      'a category that Visa does not have',
      { conditions: { all: [{ fact: 'category', operator: 'equal', value: '14' }] } },
    ],
    ['an action that RDR does not have', { action: { type: 'submit' } }],
    ['a floor of evidence', { action: { type: 'accept', floor: 'any' } }],
    ['providers', { providers: ['provider_a'] }],
  ])('take no %s', async (_, change) => {
    expect(await create(change)).toMatchObject({ status: 400, body: { code: 'request_invalid' } });
  });

  it('move no money by themselves', async () => {
    const { body } = await create();
    expect(body).toMatchObject({ about: 'rdr', action: { type: 'accept' } });
    const rule = { enabled: true, mode: 'live', action: { type: 'accept' } };
    expect([
      movesMoneyByItself({ ...rule, about: 'rdr' } as never),
      movesMoneyByItself({ ...rule, about: 'chargebacks' } as never),
    ]).toEqual([false, true]);
  });

  it('are tried on the disputes of the last year, stored or as a draft', async () => {
    const at = '2026-04-01T00:00:00.000Z';
    for (const [index, change] of [
      { amount: '20.00' },
      { amount: '20.00', reasonCode: '10.4', status: 'refunded_by_network' },
      { amount: '20.00', reasonCode: '4853', network: 'mastercard' },
      { amount: '30.00', status: 'refunded_by_network' },
    ].entries()) {
      const chargeback = {
        ...{
          ...dispute,
          id: `cb_${shop.mid}_${index}`,
          mid: shop.mid,
          sid: null,
          txid: null,
          alertId: null,
          version: 1,
        },
        ...{
          processor: 'stripe',
          connection: 'cn_1',
          routeId: null,
          reference: `dp_${index}`,
          paymentReference: 'ch_1',
        },
        ...{ openedAt: at, closedAt: at, dueBy: null, nextLookAt: null, isTaken: true, accepted: null, response: null },
        ...{ files: [], droppedFiles: [], history: [] },
        ...change,
      };
      const { Put } = chargebackWrite(chargeback as never) as { Put: { Item: Record<string, unknown> } };
      await putItem(Put.Item);
    }
    await create();
    const tries = [{}, { rule: { conditions: small, action: { type: 'accept' } } }];
    for (const body of tries) {
      const tried = await ask('chargebacks/back-test-chargeback-rules', {
        as: shop.as,
        body: { mid: shop.mid, about: 'rdr', ...body },
      });
      expect(tried).toMatchObject({
        status: 200,
        body: {
          ...{ evaluated: 3, matched: 2 },
          totals: [
            {
              currency: 'USD',
              would_refund: '40.00',
              uncontested: '20.00',
              by_network: '50.00',
              by_network_only: '30.00',
            },
          ],
        },
      });
    }
    const conditions = { all: [{ fact: 'amount', operator: 'greaterThan', value: 0 }] };
    const body = { mid: shop.mid, rule: { conditions, action: { type: 'submit', floor: 'none' } } };
    expect(await ask('chargebacks/back-test-chargeback-rules', { as: shop.as, body })).toMatchObject({
      body: { evaluated: 2 },
    });
  });
});
