import { afterEach, describe, expect, it } from 'vitest';
import { nowIso, setClock } from '#core/kernel/clock.ts';
import { saveConnectionFigures } from '#disputes/reports/figures-store.ts';
import { type MonthFigures, monthBefore, programmes, programmesIn, rateState } from '#disputes/reports/programme.ts';
import { type As, ask, expectDeclared, useOperations } from '#test/support/operations.ts';

useOperations();
afterEach(() => setClock());

const findLimits = (name: string, month: string) => programmesIn(month).find((one) => one.name === name);
const vamp = programmesIn('2026-04').find(({ name }) => name === 'VAMP');
const ecm = programmesIn('2026-04').find(({ name }) => name === 'ECM');
const hecm = programmesIn('2026-04').find(({ name }) => name === 'HECM');
if (!vamp || !ecm || !hecm) throw new Error('All three programmes are in force in April 2026.');

describe('the limits of a programme', () => {
  it('are those in force in the month', () => {
    expect(findLimits('VAMP', '2026-03')).toMatchObject({ ratioBps: 220, least: 1500 });
    expect(findLimits('VAMP', '2026-04')).toMatchObject({ ratioBps: 150, least: 1500 });
    expect(findLimits('VAMP', '2025-01')).toBeUndefined();
  });

  it.each([
    [{ settled: 100_000, chargebacks: 1000, fraud: 499 }, 'near'],
    [{ settled: 100_000, chargebacks: 1000, fraud: 500 }, 'over'],
    // The ratio alone is not enough, nor is the number.
    [{ settled: 1000, chargebacks: 500, fraud: 0 }, 'ok'],
    [{ settled: 10_000_000, chargebacks: 1000, fraud: 900 }, 'ok'],
    [{ settled: 100_000, chargebacks: 800, fraud: 325 }, 'near'],
    [{ settled: 0, chargebacks: 1, fraud: 1 }, 'unknown'],
    [undefined, 'unknown'],
  ])('of Visa are reached by %j: %s', (present, status) =>
    expect(rateState(vamp, { present, before: undefined }).status).toBe(status),
  );

  // checkout.com and presolve.co, as programme.ts cites them (2026-11-28)
  it.each([
    ['MENA', '2026-05', { ratioBps: 220, least: 100, minUsd: 75_000 }],
    ['LAC', '2025-12', { ratioBps: 150, least: 1500 }],
    ['EUROPE', '2025-12', { ratioBps: 220, least: 1500 }],
    ['ASIA_PACIFIC', '2026-05', { ratioBps: 150, least: 1500 }],
  ] as const)('of Visa in %s in %s are %j', (region, month, limits) => {
    const [found, ...others] = programmesIn(month, region).filter(({ name }) => name === 'VAMP');
    expect([found, others]).toEqual([expect.objectContaining(limits), []]);
  });

  it.each([
    [{ settled: 10_000, chargebacks: 400, fraud: 0, amountUsd: 80_000 }, 'over'],
    [{ settled: 10_000, chargebacks: 400, fraud: 0, amountUsd: 20_000 }, 'ok'],
    [{ settled: 10_000, chargebacks: 400, fraud: 0, amountUsd: 60_000 }, 'near'],
    // The amount is not known: nothing shows that it is reached.
    [{ settled: 10_000, chargebacks: 400, fraud: 0 }, 'near'],
    [{ settled: 10_000, chargebacks: 180, fraud: 0 }, 'near'],
    [{ settled: 10_000, chargebacks: 20, fraud: 0 }, 'ok'],
  ])('of Visa in the Middle East and North Africa are reached by %j: %s', (present, status) => {
    const mena = programmesIn('2026-05', 'MENA').find(({ name }) => name === 'VAMP');
    expect(mena && rateState(mena, { present, before: undefined }).status).toBe(status);
  });

  it('of Mastercard are about the payments of the month before, and count no fraud', () => {
    const figures = {
      present: { settled: 1, chargebacks: 100, fraud: 900 },
      before: { settled: 6000, chargebacks: 0, fraud: 0 },
    };
    expect(rateState(ecm, figures)).toMatchObject({
      numerator: 100,
      denominator: 6000,
      ratioBps: 167,
      status: 'over',
    });
  });

  it('of Mastercard for an excess that is high are about the same payments', () => {
    const figures = {
      present: { settled: 1_000_000, chargebacks: 300, fraud: 0 },
      before: { settled: 10_000, chargebacks: 0, fraud: 0 },
    };
    expect(rateState(hecm, figures)).toMatchObject({ denominator: 10_000, ratioBps: 300, status: 'over' });
  });

  // payvision.com and kount.com, as programme.ts cites them (2026-11-28): all four limits together.
  it.each([
    [undefined, { fraudChargebacks: 50, fraudUsd: 50_000, threeDsPercent: 9 }, 'over'],
    [undefined, { fraudChargebacks: 49, fraudUsd: 50_000, threeDsPercent: 9 }, 'near'],
    [undefined, { fraudChargebacks: 50, fraudUsd: 49_999, threeDsPercent: 9 }, 'near'],
    [undefined, { fraudChargebacks: 50, fraudUsd: 20_000, threeDsPercent: 9 }, 'ok'],
    [undefined, { fraudChargebacks: 50, fraudUsd: 50_000, threeDsPercent: 10 }, 'ok'],
    ['EUROPE', { fraudChargebacks: 50, fraudUsd: 50_000, threeDsPercent: 49 }, 'over'],
    ['EUROPE', { fraudChargebacks: 50, fraudUsd: 50_000, threeDsPercent: 50 }, 'ok'],
    ['LAC', { fraudChargebacks: 50, fraudUsd: 50_000, threeDsPercent: 49 }, 'ok'],
    // What was not supplied may be above its limit.
    [undefined, { fraudChargebacks: 50, threeDsPercent: 9 }, 'near'],
    [undefined, { fraudChargebacks: 50, fraudUsd: 50_000 }, 'near'],
    [undefined, {}, 'unknown'],
  ] as const)('of Mastercard for fraud are reached in %s by %j: %s', (region, fraud, status) => {
    const efm = programmesIn('2026-05', region).find(({ name }) => name === 'EFM');
    const present = { settled: 1, chargebacks: 900, fraud: 0, ...fraud };
    const before = { settled: 10_000, chargebacks: 0, fraud: 0 };
    expect(efm && rateState(efm, { present, before }).status).toBe(status);
    const few = { ...before, settled: 999 };
    expect(efm && rateState(efm, { present, before: few }).status).toBe(status === 'unknown' ? 'unknown' : 'ok');
  });

  it.each([
    [{ enumerated: 300_000, authorisations: 1_500_000 }, 'over'],
    [{ enumerated: 299_999, authorisations: 1_000_000 }, 'near'],
    [{ enumerated: 300_000, authorisations: 1_600_000 }, 'near'],
    [{ enumerated: 200_000, authorisations: 200_000 }, 'ok'],
    [{ enumerated: 400_000, authorisations: 4_000_000 }, 'ok'],
    [{ enumerated: 400_000 }, 'unknown'],
    [{}, 'unknown'],
  ] as const)('of Visa for enumeration are reached by %j: %s', (found, status) => {
    const enumeration = programmesIn('2026-05', 'MENA').find(({ name }) => name === 'VAMP_ENUMERATION');
    const present = { settled: 10, chargebacks: 9000, fraud: 9000, ...found };
    expect(enumeration && rateState(enumeration, { present, before: undefined }).status).toBe(status);
  });

  it('go back over the end of a year', () => expect(monthBefore('2026-01')).toBe('2025-12'));
});

describe('where a merchant stands', () => {
  const merchant = async () =>
    ((await ask('merchants/create-merchant', { body: { name: 'M' } })).body as { mid: number }).mid;
  const supply = async (as: As, body: object) =>
    ask('reports/set-figures', {
      as,
      body: { month: '2026-04', scheme: 'VISA', settled_count: 100_000, chargeback_count: 1600, ...body },
    });

  it('follows the figures that were supplied last, and says when', async () => {
    setClock(() => Date.parse('2026-04-24T12:00:00Z'));
    const as = { mid: await merchant() };
    const standings = async () => (await ask('reports/programmes', { as, body: { month: '2026-04' } })).body;
    expect(await standings()).toMatchObject({
      list: Array.from({ length: 5 }, () => ({ status: 'unknown' })),
    });
    expect(await supply(as, {})).toMatchObject({ status: 200, body: { status: 'ok' } });
    expect(await standings()).toMatchObject({
      list: [
        {
          programme: 'VAMP',
          status: 'over',
          ratio_bps: 160,
          numerator: 1600,
          denominator: 100_000,
          supplied_at: nowIso(),
        },
        ...[{ supplied_at: null }, {}, {}, {}],
      ],
    });
    await supply(as, { chargeback_count: 10 });
    expect(await standings()).toMatchObject({ list: [{ status: 'ok' }, {}, {}, {}, {}] });
  });

  it('follows the region that the figures of either scheme state', async () => {
    const as = { mid: await merchant() };
    const regions = async () => (await ask('reports/programmes', { as, body: { month: '2026-04' } })).body;
    await supply(as, {});
    await supply(as, { scheme: 'MASTERCARD', region: 'MENA' });
    expect(await regions()).toMatchObject({
      list: [{ programme: 'VAMP', region: 'MENA', ratio_bps: 160, threshold_bps: 220 }, {}, {}, {}, {}],
    });
    await supply(as, { region: 'LAC' });
    expect(await regions()).toMatchObject({ list: [{ programme: 'VAMP', region: 'LAC' }, {}, {}, {}, {}] });
  });

  it('follows the sum of what was counted at connections, until the acquirer’s figures are supplied', async () => {
    const mid = await merchant();
    const place = { mid, month: '2026-04', scheme: 'VISA' } as const;
    const count = (connection: string, figures: MonthFigures) =>
      saveConnectionFigures({ ...place, connection }, figures);
    const standings = async () => (await ask('reports/programmes', { as: { mid }, body: { month: '2026-04' } })).body;
    await count('c1', { settled: 50_000, chargebacks: 700, fraud: 100 });
    await count('c2', { settled: 50_000, chargebacks: 600, fraud: 200 });
    expect(await standings()).toMatchObject({
      list: [
        { numerator: 1600, denominator: 100_000, status: 'over', parts: { chargebacks: 1300, fraud: 300 } },
        ...[{}, {}, {}, {}],
      ],
    });
    // The later count of a connection replaces its earlier one.
    await count('c2', { settled: 50_000, chargebacks: 100, fraud: 0 });
    expect(await standings()).toMatchObject({ list: [{ numerator: 900, denominator: 100_000 }, {}, {}, {}, {}] });
    await supply({ mid }, { chargeback_count: 10 });
    expect(await standings()).toMatchObject({
      list: [{ numerator: 10, denominator: 100_000, status: 'ok' }, {}, {}, {}, {}],
    });
  });

  it("is each merchant's own; an administrator names one there is", async () => {
    const [mid, other] = [await merchant(), await merchant()];
    for (const operation of ['reports/programmes', 'reports/set-figures'])
      expect(
        await ask(operation, {
          as: { mid: other },
          body: { mid, month: '2026-04', scheme: 'VISA', settled_count: 1, chargeback_count: 1 },
        }),
      ).toMatchObject({ status: 404, body: { msg: 'No such merchant' } });
    expect(await supply('admin', {})).toMatchObject({ status: 400 });
    expect(await supply('admin', { mid: 999_999 })).toMatchObject({ status: 404 });
    expect(await ask('reports/programmes', { as: 'admin', body: { mid: 999_999, month: '2026-04' } })).toMatchObject({
      status: 404,
      body: { msg: 'No such merchant' },
    });
    expect(await ask('reports/programmes', { as: 'admin', body: { mid, month: '2026-04' } })).toMatchObject({
      status: 200,
    });
    expect(await supply('admin', { mid })).toMatchObject({ status: 200 });
    const { body } = await ask('reports/programmes', { as: { mid: other }, body: { month: '2026-04' } });
    expect(body).toMatchObject({ list: [{ status: 'unknown' }, {}, {}, {}, {}] });
  });
});

it('says of every limit where it is published', async () => {
  for (const { source } of programmes) expect(new URL(source).protocol).toBe('https:');
});

it.each(['reports/programmes', 'reports/set-figures'])('%s does and refuses what it declares', (name) =>
  expectDeclared(name),
);
