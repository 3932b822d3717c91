import { beforeEach, describe, expect, it } from 'vitest';
import type { Site } from '#accounts/merchants/site/site.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem, putItem, transact } from '#core/platform/table/table.ts';
import { readBalance } from '#payments/balance/balance-flow.ts';
import { lessKept, sumFunds, toFundsDto } from '#payments/balance/funds.ts';
import { fromBalanceItems } from '#payments/balance/funds-row.ts';
import type { Processor } from '#payments/processors/ports/processor.ts';
import type { ProcessorName } from '#payments/processors/ports/processors.ts';
import type { Route } from '#payments/processors/routing/routing.ts';
import { toSiteProcessorsItem } from '#payments/processors/routing/site-processors-row.ts';
import type { Ledger } from '#payments/transactions/ledger/ledger.ts';
import { holdForDispute, reserveInLedger } from '#payments/transactions/ledger/ledger-changes.ts';
import { fromLedgerItem, ledgerWrites } from '#payments/transactions/ledger/ledger-row.ts';
import { callsDuring } from '#test/disputes/alerts/seed.ts';
import { seedPayment, seedPaymentSite } from '#test/payments/cardsearch/seed.ts';
import { fakeProcessor } from '#test/payments/transactions/support.ts';
import { ask, expectDeclared, useOperations } from '#test/support/operations.ts';

useOperations();

let site: Site;
let rcode: string;
beforeEach(async () => {
  ({ site, rcode } = await seedPaymentSite());
});

const asked = (change: { sid?: number; rcode?: string } = {}) =>
  ask('balance/balance', {
    as: 'nobody',
    params: { id: change.sid ?? site.sid },
    body: { rcode: change.rcode ?? rcode },
  });

const change = async (txid: number, work: (ledger: Ledger) => Ledger) => {
  const before = fromLedgerItem((await getItem(keys.ledger(txid))) ?? {});
  await transact(ledgerWrites(before, work(before)));
};

describe('the balance of a site', () => {
  it('is empty before the first payment', async () => {
    expect(await asked()).toMatchObject({ status: 200, body: { status: 'OK', balances: [] } });
  });

  it('adds up the payments by currency, in its own decimals, and says what is kept back', async () => {
    const [first] = await Promise.all([
      seedPayment(site, { money: { minor: '1050', currency: 'USD' } }),
      seedPayment(site, { money: { minor: '2001', currency: 'USD' } }),
      seedPayment(site, { money: { minor: '500', currency: 'JPY' } }),
      seedPayment(site, { money: { minor: '1234', currency: 'KWD' } }),
      seedPayment(site, { action: 'PREAUTH', money: { minor: '9999', currency: 'USD' } }),
    ]);
    await change(first.txid, (ledger) =>
      reserveInLedger(ledger, { txid: 1, kind: 'REFUND', minor: 50n, alertId: null }),
    );
    await change(first.txid, (ledger) => holdForDispute(ledger, 7));
    expect((await asked()).body).toEqual({
      status: 'OK',
      source: 'books',
      balances: [
        { currency: 'JPY', available: 500, reserved: 0 },
        { currency: 'KWD', available: 1.234, reserved: 0 },
        { currency: 'USD', available: 20.01, reserved: 10.5 },
      ],
    });
  });

  it('is read in one call', async () => {
    await seedPayment(site);
    expect(await callsDuring(asked)).toBe(1);
  });

  it('is refused to callers without the rcode, and no site can be told from none', async () => {
    const wrong = await asked({ rcode: `${rcode}x` });
    const none = await asked({ sid: 999_999 });
    expect(wrong).toMatchObject({ status: 401, body: { status: 'EXC', error_code: 'rcode_wrong' } });
    expect(none.body).toEqual(wrong.body);
    const { rcode: another } = await seedPaymentSite();
    expect((await asked({ rcode: another })).body).toEqual(wrong.body);
    expect(await ask('balance/balance', { as: 'nobody', params: { id: site.sid }, body: {} })).toMatchObject({
      status: 400,
      body: { status: 'EXC', error_code: 'request_invalid', error_msg: expect.stringContaining('rcode') },
    });
  });

  it('is none of an alert site', async () => {
    const { site: alertSite, rcode: own } = await seedPaymentSite({ type: 'alert', payment: null });
    expect(await asked({ sid: alertSite.sid, rcode: own })).toMatchObject({
      status: 409,
      body: { status: 'EXC', error_code: 'site_not_for_payments' },
    });
  });
});

describe('the balance at a processor', () => {
  const route = (id: string, processor: ProcessorName = 'stripe'): Route => ({
    ...{ id, processor, schemes: null, currencies: null, min: null, max: null },
    ...{ sealed: 'sealed', shown: {} },
  });
  const routed = (routes: Route[], retired: Route[] = []) =>
    putItem(toSiteProcessorsItem(site.sid, { routes, retired, version: 1 }));
  const told = (change: Partial<Processor> = {}) => {
    const capabilities = { ...fakeProcessor({}).capabilities, balance: true };
    const balance = async () => [{ currency: 'USD', available: 5000n, reserved: 100n }];
    return readBalance(site.sid, rcode, {
      processorFor: async () => fakeProcessor({ capabilities, balance, ...change }),
    });
  };
  const books = { source: 'books', funds: [{ currency: 'USD', available: 0n, reserved: 36156n }] };
  beforeEach(async () => {
    const { txid } = await seedPayment(site);
    await change(txid, (ledger) => holdForDispute(ledger, 7));
  });

  it('is what the only account says, less what an open dispute keeps back', async () => {
    await routed([route('a'), route('a')]);
    const funds = [{ currency: 'USD', available: 5000n - 36156n, reserved: 36256n }];
    expect(await told()).toEqual({ source: 'processor', funds });
  });

  it('is what our books say where payments went to several accounts, to the sandbox, or to one that tells nothing', async () => {
    expect(await told()).toEqual(books);
    await routed([route('a'), route('b')]);
    expect(await told()).toEqual(books);
    await routed([route('a')], [route('b')]);
    expect(await told()).toEqual(books);
    await routed([route('sandbox', 'sandbox')]);
    expect(await told()).toEqual(books);
    await routed([route('a')]);
    expect(await told({ capabilities: fakeProcessor({}).capabilities })).toEqual(books);
  });

  it('is what our books say while the processor does not answer', async () => {
    await routed([route('a')]);
    expect(await told({ balance: () => Promise.reject(new Error('no answer')) })).toEqual(books);
  });
});

describe('funds', () => {
  const usd = (available: bigint, reserved: bigint) => ({ currency: 'USD', available, reserved });

  it('are shown exactly, below nothing too', () => {
    expect(toFundsDto(usd(-5n, 0n))).toEqual({ currency: 'USD', available: -0.05, reserved: 0 });
    expect(toFundsDto(usd(123_456_789_012_345n, 1n))).toMatchObject({
      available: 1_234_567_890_123.45,
      reserved: 0.01,
    });
  });

  it('are zero, and not less than that, if there are none', () =>
    expect(toFundsDto(usd(0n, 0n))).toEqual({ currency: 'USD', available: 0, reserved: 0 }));

  it('are read from the amounts of their rows alone', () => {
    const row = { pk: 'BALANCE#1', 'available#USD': 5, 'reserved#USD': 2, 'another#EUR': 3 };
    expect(fromBalanceItems([row, undefined, { 'available#USD': 1 }])).toEqual([usd(6n, 2n)]);
  });

  it('of a processor are less what our books keep back', () => {
    const eur = { currency: 'EUR', available: 7n, reserved: 0n };
    expect(lessKept([usd(100n, 10n), eur], [usd(55n, 30n)])).toEqual([eur, usd(70n, 40n)]);
  });

  it('of several parts are one sum', () => expect(sumFunds([usd(1n, 2n), usd(3n, 4n)])).toEqual([usd(4n, 6n)]));
});

it('does what its declaration says', () => expectDeclared('balance/balance'));
