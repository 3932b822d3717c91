import type { TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { dueShards } from '#core/platform/work/due.ts';
import { readDue } from '#jobs/due-store.ts';
import { refundThroughLedger } from '#payments/transactions/follow-up/refund-flow.ts';
import type { Tenant } from '#test/accounts/merchants/tenant.ts';
import { beforeTransactions, useOperations } from '#test/support/operations.ts';
import { newShop, pay } from './shop.ts';
import { expectSettled, ledgerAt, paymentAt, settleEverything, useSandbox } from './support.ts';

/**
 * Faults that are planted between the service and its table, one for each promise: what checks the promise has to fail then.
 * Faults of the ledger's own rules are in ledger.test.ts.
 */

useOperations();
useSandbox();

let shop: Tenant;
beforeAll(async () => {
  shop = await newShop();
});

type Part = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

/** Changes every Put of an entity on its way to the table. */
const plant = (entity: string, spoil: (put: NonNullable<Part['Put']>) => void) =>
  beforeTransactions(async ({ TransactItems = [] }) => {
    for (const { Put } of TransactItems) if (Put?.Item?.['entity'] === entity) spoil(Put);
  });

const withoutCondition = (put: NonNullable<Part['Put']>) => {
  delete put.ConditionExpression;
  delete put.ExpressionAttributeNames;
  delete put.ExpressionAttributeValues;
};

/** Counts the transactions that six calls with the same `tid` create. */
const chargedFor = async (tid: string): Promise<number> => {
  const results = await Promise.all(Array.from({ length: 6 }, () => pay(shop, '12.00', { tid })));
  return new Set(results.map(({ txid }) => txid)).size;
};

/** Returns the sum of six refunds of a half each, of 10.00 captured. */
const sumRefunded = async (): Promise<bigint> => {
  const { txid } = await pay(shop, '10.00');
  const half = { parentTxid: txid, money: { minor: 500n, currency: 'USD' }, dispute: null, by: 'test' };
  const refunds = await Promise.allSettled(Array.from({ length: 6 }, () => refundThroughLedger(half)));
  await settleEverything();
  const done = await Promise.all(
    refunds.flatMap((refund) => (refund.status === 'fulfilled' ? [paymentAt(refund.value.txid)] : [])),
  );
  return done.reduce((sum, { status, money }) => (status === 'OK' ? sum + BigInt(money.minor) : sum), 0n);
};

const isAnythingOwed = async (): Promise<boolean> => {
  const shards = Array.from({ length: dueShards }, (_, shard) => readDue('9999-12-31T23:59:59.999Z', shard, undefined));
  return (await Promise.all(shards)).some(({ rows }) => rows.some(({ entity }) => entity === 'TRANSACTION'));
};

describe('a tid is charged once', () => {
  it('as the service is', async () => expect(await chargedFor('once')).toBe(1));

  it('and not if its row were written without a condition', async () => {
    plant('TID', withoutCondition);
    expect(await chargedFor('more than once')).toBeGreaterThan(1);
  });
});

describe('no more is reserved than was captured', () => {
  it('as the service is', async () => expect(await sumRefunded()).toBe(1000n));

  it('and not if the ledger were written without a condition: only the processor would refuse then', async () => {
    plant('LEDGER', withoutCondition);
    const { txid } = await pay(shop, '10.00');
    const half = { parentTxid: txid, money: { minor: 500n, currency: 'USD' }, dispute: null, by: 'test' };
    const refunds = await Promise.allSettled(Array.from({ length: 6 }, () => refundThroughLedger(half)));
    const begun = refunds.filter(({ status }) => status === 'fulfilled').length;
    expect(begun).toBeGreaterThan(2);
    const { refunded } = await ledgerAt(txid);
    expect(refunded).not.toBe(BigInt(begun) * 500n);
  });
});

describe('nothing is stuck after the sweep', () => {
  it('as the service is', async () => {
    const { txid } = await pay(shop, '10.62');
    await settleEverything();
    expect(await isAnythingOwed()).toBe(false);
    expect((await expectSettled(txid)).captured).toBe(1062n);
  });

  it('and would be if a pending transaction had no due check', async () => {
    plant('TRANSACTION', ({ Item }) => {
      delete Item?.['duePk'];
      delete Item?.['dueSk'];
    });
    const { txid } = await pay(shop, '10.62');
    await settleEverything();
    await expect(expectSettled(txid)).rejects.toThrow();
  });
});
