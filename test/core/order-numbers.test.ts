import { afterEach, describe, expect, it } from 'vitest';
import { holdsCardNumber, maskCardNumbers, maskIssuedCards } from '#core/kernel/card/card-numbers.ts';
import { withLuhnDigit } from '#core/kernel/card/luhn.ts';
import { setClock } from '#core/kernel/clock.ts';

const now = Date.parse('2026-11-28T12:00:00Z');
const at = (time: number) => setClock(() => time);
afterEach(() => setClock());

/** The same numbers in each run: a linear congruential generator. */
const drawing = () => {
  let state = 42;
  return (below: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * below);
  };
};

/** Twelve shapes of order numbers that shops use. `t`: the digits of the order's time, YYYYMMDDhhmmss. `draw`: a number below another. */
type Draw = (below: number) => number;
const pad = (value: number, size: number) => String(value).padStart(size, '0');
const dayFirst = (t: string) => `${t.slice(6, 8)}${t.slice(4, 6)}${t.slice(0, 4)}${t.slice(8)}`;
const shapes: readonly (readonly [name: string, make: (t: string, draw: Draw, ms: number) => string])[] = [
  ['YYMMDDhhmmss and four digits', (t, draw) => `${t.slice(2)}${pad(draw(10_000), 4)}`],
  ['YYYYMMDDhhmmss and two digits', (t, draw) => `${t}${pad(draw(100), 2)}`],
  ['YYYYMMDDhhmmss and milliseconds', (t, draw) => `${t}${pad(draw(1000), 3)}`],
  ['YYMMDD and a sequence of ten digits', (t, draw) => `${t.slice(2, 8)}${pad(draw(200_000), 10)}`],
  ['YYMMDD, a hyphen and six digits', (t, draw) => `${t.slice(2, 8)}-${pad(draw(1_000_000), 6)}`],
  ['DDMMYYYYhhmmss', (t) => dayFirst(t)],
  ['DDMMYYYYhhmmss and two digits', (t, draw) => `${dayFirst(t)}${pad(draw(100), 2)}`],
  ['Unix milliseconds', (_, __, ms) => String(ms)],
  ['Unix milliseconds and three digits', (_, draw, ms) => `${ms}${pad(draw(1000), 3)}`],
  ['ORD-, YYMMDDhhmmss, a hyphen and four digits', (t, draw) => `ORD-${t.slice(2)}-${pad(draw(10_000), 4)}`],
  ["Amazon's", (_, draw) => `${pad(100 + draw(900), 3)}-${pad(draw(1e7), 7)}-${pad(draw(1e7), 7)}`],
  ['a hash sign and a sequence', (_, draw) => `#${pad(draw(1e8), 8)}`],
];

describe('order numbers', () => {
  it('of twelve usual shapes look like a card number less than once in 10,000', () => {
    at(now);
    const draw = drawing();
    let wrong = 0;
    for (let index = 0; index < 100_000; index += 1) {
      const ms = now - draw(300 * 86_400) * 1000 + draw(1000);
      const t = new Date(ms).toISOString().replace(/\D/g, '').slice(0, 14);
      const make = shapes[index % shapes.length]?.[1] ?? String;
      if (holdsCardNumber(make(t, draw, ms))) wrong += 1;
    }
    expect(wrong).toBeLessThan(10);
  });

  it.each([
    ['2612010930151234', '2026-11-30T20:00:00Z'],
    ['1800000000123456', '2027-01-15T08:00:00Z'],
    ['30112026103015', '2026-11-30T12:00:00Z'],
    ['2612012359590001', '2026-12-02T10:00:00Z'],
    ['2612010930711234', '2026-11-28T12:00:00Z'],
    ['3011260930990001', '2026-11-28T12:00:00Z'],
  ])('%s is one around %s, whatever its last digit', (text, time) => {
    at(Date.parse(time));
    for (let last = 0; last < 10; last += 1) expect(holdsCardNumber(`${text.slice(0, -1)}${last}`), text).toBe(false);
  });

  it.each([
    ['a day that does not exist', '261131093015123'],
    ['an hour that does not exist', '261130253015123'],
    ['a time long ago', '230130093015123'],
    ['a time to come', '270601093015123'],
  ])('with %s are still card numbers', (_, digits) => {
    at(now);
    expect(holdsCardNumber(withLuhnDigit(digits))).toBe(true);
  });

  it('stay in stored text when they are old', () => {
    at(now);
    const number = withLuhnDigit('240130093015123');
    expect([holdsCardNumber(number), maskIssuedCards(number)]).toEqual([true, number]);
  });
});

it('finds every test card number of the schemes, with a time in front of it or not', () => {
  at(now);
  const cards = [
    ...['4242424242424242', '4000056655665556', '5555555555554444', '2223003122003222', '5200828282828210'],
    ...['5105105105105100', '378282246310005', '371449635398431', '6011111111111117', '6011000990139424'],
    ...['3056930009020004', '36227206271667', '6555900000604105', '3566002020360505', '6200000000000005'],
    ...['2720992593319364', '2221000000000009', '4111111111111111', '4012888888881881', '30569309025904'],
  ];
  for (const card of cards) {
    for (const text of [card, `261128120000 ${card}`, `2026-11-28 12:00 ${card}`, card.replace(/(.{4})/g, '$1 ')]) {
      expect(holdsCardNumber(text), text).toBe(true);
      expect(maskCardNumbers(text), text).not.toContain(card);
    }
  }
});
