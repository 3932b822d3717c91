import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { iso, milliseconds, setClock } from '#core/kernel/clock.ts';
import { stripeDisputes } from '#payments/processors/stripe/stripe-disputes-client.ts';
import { startFakeStripe } from '#test/support/fake-stripe.ts';
import { useServer } from '#test/support/use-server.ts';

/** Disputes of an account that has more of them than are read at once. */

const stripe = await useServer(startFakeStripe());

const noon = Date.parse('2026-05-02T12:00:00.000Z');
beforeEach(() => {
  setClock(() => noon);
  stripe.disputes.disputes.clear();
});
afterEach(() => setClock());

const paid = { id: 'pi_elsewhere', amount: 1234, currency: 'usd' };
const raise = (count: number, at: (index: number) => number) => {
  for (let n = 0; n < count; n += 1) stripe.disputes.open(paid, { created: Math.floor(at(n) / 1000) });
};
const begin = noon - 30 * milliseconds.day;

/** Reads all, the rest of it each time; answers what was found and how often was asked. */
const readAll = async () => {
  const { secretKey: secret_key, url: base_url } = stripe;
  const { since } = stripeDisputes({ secret_key, base_url });
  const found = new Set<string>();
  let before: string | undefined;
  for (let times = 1; times < 9; times += 1) {
    const answer = await since?.(iso(begin), before);
    if (!answer || 'unknown' in answer) throw new Error(`It was not read: ${answer?.unknown}`);
    for (const { reference } of answer.found) found.add(reference);
    if (answer.before === undefined) return { found: found.size, times };
    before = answer.before;
  }
  throw new Error('It never gets on');
};

describe('the disputes of a Stripe account', () => {
  it('are read at once up to a thousand', async () => {
    raise(1000, (n) => begin + n * milliseconds.minute);
    expect(await readAll()).toEqual({ found: 1000, times: 1 });
  });

  it.each([
    ['evenly', (n: number) => begin + n * 15 * milliseconds.minute],
    ['mostly at first', (n: number) => begin + (n < 2000 ? n * milliseconds.second : n * 15 * milliseconds.minute)],
    ['mostly at last', (n: number) => noon - (n < 2000 ? n * milliseconds.second : n * 15 * milliseconds.minute)],
  ])('are read in parts where there are more, and none is left out: %s', async (_, at) => {
    raise(2300, at);
    expect(await readAll()).toEqual({ found: 2300, times: 3 });
  });

  it('are read in whole of a second that has more', async () => {
    raise(5, () => begin);
    raise(1100, () => noon - milliseconds.hour);
    expect(await readAll()).toEqual({ found: 1105, times: 2 });
  });
});
