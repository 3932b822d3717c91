import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { describeError } from '#core/platform/log/log.ts';
import { redact, redactText } from '#core/platform/log/redaction.ts';

describe('what is logged', () => {
  it.each([
    'rcode',
    'token',
    'access_token',
    'Authorization',
    'password',
    'hash',
    'card_ccv',
    'signing_secret',
    'card_no',
    'miscdata',
    'misc_data',
  ])('never shows the value of a field named %s', (name) =>
    expect(JSON.stringify(redact({ deep: [{ [name]: 'S3cretValue' }] }))).not.toContain('S3cretValue'),
  );

  it.each([
    '4242424242424242',
    '4242 4242 4242 4242',
    '4242.4242.4242.4242',
    '4242/4242/4242/4242',
    '5555-5555-5555-4444',
    '378282246310005',
    '6011111111111117',
    '8171999927660000',
    '8100000000000002',
    '8199999999999995',
  ])('shows first six and last four of %s at most', (card) => {
    const digits = card.replace(/\D/g, '');
    const shown = redactText(`the card ${card} was declined`);
    expect(shown).toBe(`the card ${digits.slice(0, 6)}******${digits.slice(-4)} was declined`);
  });

  it.each(['id', 'alert_id', 'arn'])('masks a card number that stands in place of our own number %s', (name) => {
    expect(redact({ [name]: '4242424242424242' })).toEqual({ [name]: '424242******4242' });
    expect(redact({ [name]: 4_222_222_222_222 })).toEqual({ [name]: '422222******2222' });
    expect(redact({ [name]: 1_077_232_435_203_110 })).toEqual({ [name]: 1_077_232_435_203_110 });
    expect(redact({ [name]: '24692163212345678901230' })).toEqual({ [name]: '24692163212345678901230' });
  });

  it('masks a card number after the number of a line', () => {
    expect(redactText('5. 4242 4242 4242 4242')).toBe('5. 424242******4242');
  });

  it.each([
    ['4242424242424242 12/30 123', '424242******4242 12/30 ***'],
    ['4242424242424242 12/2030 1234', '424242******4242 12/**** ****'],
    ['4242 4242 4242 4242 exp 12 30, cvv: 123.', '424242******4242 exp 12 30, cvv: ***.'],
    ['12 4242-4242-4242-4242 99', '12 424242******4242 99'],
    ['order 77 378282246310005 1234', 'order 77 378282******0005 ****'],
    ['4242\n4242\r\n4242\n4242\n123', '424242******4242\n***'],
    ['4012 8888 8888 1881 5105 1051 0510 5100', '401288******1881 510510******5100'],
    // Three groups of a card and its expiry may make a number of their own: no more than the ends of both is shown.
    ['4242 4242 4242 4242 12/30', '424242******1230'],
    ['4242424242424242\n5555555555554444', '424242******4242\n555555******4444'],
    ['４０１２ ８８８８ ８８８８ １８８１ １２/３０', '401288******1881 12/30'],
    ['4242\u20114242\u00ad4242\u200b4242 5', '424242******4242 5'],
    ['42424242424242421230123', '424242******0123'],
    ['{"card_no":"4242424242424242","card_ccv":"123"}', '{"card_no":"424242******4242","card_ccv":"***"}'],
    ['card=4242+4242+4242+4242&cvv=123', 'card=424242******4242&cvv=***'],
    ['4242424242424242=30122010000012300000', '424242******4242=30122010000012300000'],
    ['4242424242424242 for order 1234', '424242******4242 for order 1234'],
    ['4242424242424242"},{"amount":"100"', '424242******4242"},{"amount":"100"'],
  ])('masks a card number whatever stands beside it: %s', (text, shown) => expect(redactText(text)).toBe(shown));

  it('shows none of the digits between the ends of a card in any company', () => {
    const gap = fc.constantFrom('', ' ', '-', '/', '.', '  ', '\n', '\r\n', '_', '\u2013', '\u200b', ' - ');
    const beside = fc.array(
      fc.tuple(fc.stringMatching(/^\d{1,12}$/), fc.constantFrom(' ', '/', ' / ', '\n', ', ', 'x')),
    );
    const cuts = fc.constantFrom([4, 8, 12], [], [4, 10], [8], [1, 6]);
    const cards = fc.constantFrom('4012888888881881', '5200828282828210', '6011000990139424', '2223003122003222');
    fc.assert(
      fc.property(beside, cards, cuts, gap, beside, (before, card, at, between, after) => {
        const groups = [0, ...at].map((from, index) => card.slice(from, at[index]));
        const [left, right] = [before, after].map((list) => list.flat().join(''));
        const middle = card.slice(6, 12);
        fc.pre(!`${left}${right}`.replace(/\D/g, '').includes(middle));
        const shown = redactText(`${left}${groups.join(between)} ${right}`);
        expect(shown.replace(/[^\d*]/g, '')).not.toContain(middle);
      }),
      { numRuns: 2000 },
    );
  });

  it('takes no longer for texts that are made to be looked at again and again', () => {
    // Of the processor's time, which other work on the machine does not lengthen; the least of three.
    const once = (text: string): number => {
      const before = process.cpuUsage();
      redactText(text);
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1000;
    };
    const spent = (text: string): number => Math.min(once(text), once(text), once(text));
    for (const part of ['4/', '42', '4 ', '4242 ', '-eyJ', 'eyJa.', '.eyJ', 'v1=', 'Bearer ', '4242424242424242 ']) {
      const [short, long] = [part.repeat(8192 / part.length), part.repeat(65_536 / part.length)];
      // Eight times the text: sixty times would be each character against all others.
      expect(spent(long), part).toBeLessThan(Math.max(40 * spent(short), 250));
    }
  });

  it('masks a card number that is a JSON number', () => {
    expect(redact({ value: 4242424242424242 })).toEqual({ value: '424242******4242' });
  });

  it('leaves our own identifiers and a 23-digit ARN readable', () => {
    const fields = { alert_id: 1029384756102938, arn: '24692161070000622606414', text: 'alert 1029384756102938' };
    expect(redact(fields)).toEqual(fields);
  });

  it.each([
    'Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ4In0.c2ln',
    'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ4In0.c2ln',
    'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    'Invalid API Key provided: sk_test_51Nobodyknows',
    'https://x.example/?rcode=abcdefabcdefabcd&a=1',
  ])('masks %s in free text', (text) => expect(redactText(text)).toContain('[redacted]'));

  it('ends cycles and keeps everything else as it was', () => {
    const cycle: { self?: unknown; n: number } = { n: 1 };
    cycle.self = cycle;
    expect(redact(cycle)).toEqual({ n: 1, self: '[cycle]' });
    fc.assert(
      fc.property(fc.array(fc.integer({ max: 999_999 })), (list) => {
        expect(redact({ list })).toEqual({ list });
      }),
    );
  });
});

it('an error of a schema names the fields that are wrong, and says nothing of what was in them', () => {
  const Secret = v.object({ user: v.string(), key: v.pipe(v.string(), v.minLength(40)), port: v.number() });
  const described = (value: unknown) => {
    try {
      return v.parse(Secret, value);
    } catch (error) {
      return describeError(error);
    }
  };
  expect(described({ key: 'S3cretValue', port: 'S3cretValue' })).toMatchObject({
    name: 'ValiError',
    message: 'user: is required; key: must be >=40; port: must be number',
  });
  for (const value of [{ user: 481_516_234, key: 481_516_234, port: '481516234' }, 481_516_234, 'S3cretValue']) {
    expect(JSON.stringify(described(value))).not.toMatch(/481516234|S3cretValue/);
  }
});
