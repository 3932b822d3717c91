import * as v from 'valibot';
import { expect, it } from 'vitest';
import { holdsCardNumber } from '#core/kernel/card/card-numbers.ts';
import { newClientToken } from '#payments/threeds/payer/client-token.ts';
import { ClientToken } from '#payments/threeds/schemas.ts';

const ring = { current: 'a', keys: { a: 'a key of this test' } };
const owner = { sid: 3, pageOrigin: 'https://shop.example' };

it('accepts every client token, also one whose digits look like a card number', () => {
  const tokens = Array.from({ length: 20_000 }, (_, n) =>
    newClientToken(ring, { ...owner, id: 1_077_048_127_832_949 + n }, 1_777_716_000_000 + n),
  );
  const alike = tokens.filter((token) => holdsCardNumber(token));
  expect(alike.length).toBeGreaterThan(0);
  expect(alike.filter((token) => !v.is(ClientToken, token))).toEqual([]);
  expect(v.is(ClientToken, '4242424242424242')).toBe(false);
});
