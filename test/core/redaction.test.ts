import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { redact, redactText } from '../../functions/core/redaction.ts';

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
  ])('shows first six and last four of %s at most', (card) => {
    const digits = card.replace(/\D/g, '');
    const shown = redactText(`the card ${card} was declined`);
    expect(shown).toBe(`the card ${digits.slice(0, 6)}******${digits.slice(-4)} was declined`);
  });

  it('masks a card number after the number of a line', () => {
    expect(redactText('5. 4242 4242 4242 4242')).toBe('5. 424242******4242');
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
