import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DeclineCode } from '#payments/processors/decline-codes.ts';
import { declineCodes } from '#payments/processors/decline-codes.ts';
import {
  mayMoveOn,
  offeredRoutes,
  type Route,
  routeOfId,
  routesFor,
  sandboxRoute,
} from '#payments/processors/routing/routing.ts';

const route = (id: string, change: Partial<Route> = {}): Route => ({ ...sandboxRoute, id, ...change });
const visa = { scheme: 'VISA', currency: 'USD', minor: 1000n } as const;
const idsFor = (routes: readonly Route[], payment: Parameters<typeof routesFor>[1]) =>
  routesFor(routes, payment).map(({ id }) => id);

describe('the routes of a payment', () => {
  it('are those that take its scheme, currency and amount, in order', () => {
    const routes = [
      route('amex', { schemes: ['AMEX'] }),
      route('euros', { currencies: ['EUR'] }),
      route('large', { min: '10.01' }),
      route('small', { max: '9.99' }),
      route('exactly', { min: '10', max: '10.00', schemes: ['VISA'], currencies: ['USD'] }),
      route('all'),
    ];
    expect(idsFor(routes, visa)).toEqual(['exactly', 'all']);
  });

  it('have limits in whatever decimals the currency has', () => {
    const routes = [route('ten', { min: '10', max: '10' })];
    expect(idsFor(routes, { ...visa, currency: 'JPY', minor: 10n })).toEqual(['ten']);
    expect(idsFor(routes, { ...visa, currency: 'KWD', minor: 10_000n })).toEqual(['ten']);
    expect(idsFor(routes, { ...visa, currency: 'KWD', minor: 10_001n })).toEqual([]);
    expect(idsFor(routes, { ...visa, currency: 'CLF', minor: 100_000n })).toEqual(['ten']);
  });

  it('name an account once', () => {
    expect(idsFor([route('a', { max: '50' }), route('b'), route('a')], visa)).toEqual(['a', 'b']);
  });

  it('without a card are those of any scheme', () => {
    expect(idsFor([route('amex', { schemes: ['AMEX'] })], { ...visa, scheme: null })).toEqual(['amex']);
  });

  it('take every amount between the limits and no other', () => {
    const cents = fc.bigInt({ min: 0n, max: 10n ** 14n });
    fc.assert(
      fc.property(cents, cents, cents, (min, max, minor) => {
        const decimal = (value: bigint) => `${value / 100n}.${String(value % 100n).padStart(2, '0')}`;
        const taken = idsFor([route('one', { min: decimal(min), max: decimal(max) })], { ...visa, minor });
        expect(taken.length === 1).toBe(min <= minor && minor <= max);
      }),
    );
  });
});

describe('a site without routes', () => {
  const none = { routes: [], retired: [], version: 0 };

  it('uses the sandbox where that is allowed', () => {
    expect(offeredRoutes(none, true)).toEqual([sandboxRoute]);
    expect(offeredRoutes(none, false)).toEqual([]);
    expect(offeredRoutes({ ...none, routes: [route('a')] }, true)).toEqual([route('a')]);
  });

  it('finds an account also after it was retired, and the sandbox always', () => {
    const processors = { routes: [route('a')], retired: [route('b')], version: 2 };
    expect(['a', 'b', 'sandbox', 'c'].map((id) => routeOfId(processors, id)?.id)).toEqual([
      'a',
      'b',
      'sandbox',
      undefined,
    ]);
  });
});

describe('moving on to the next route', () => {
  const codes = Object.keys(declineCodes) as DeclineCode[];

  it('happens only for what lies with the processor', () => {
    const moved = codes.filter((code) => mayMoveOn({ outcome: 'EXC', code, reference: null }));
    expect(moved.sort()).toEqual([
      'amount_invalid',
      'currency_not_supported',
      'operation_not_supported',
      'processor_credentials',
      'processor_unavailable',
    ]);
  });

  it('never happens where something may have been charged, or was left at the processor', () => {
    expect(mayMoveOn({ outcome: 'UNKNOWN', detail: 'no answer' })).toBe(false);
    expect(mayMoveOn({ outcome: 'PEND', reference: 'r', nextAction: null })).toBe(false);
    expect(mayMoveOn({ outcome: 'OK', reference: 'r' })).toBe(false);
    for (const code of codes) expect(mayMoveOn({ outcome: 'EXC', code, reference: 'r' })).toBe(false);
  });
});
