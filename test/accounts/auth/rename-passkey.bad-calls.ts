import type { BadCalls } from '#test/support/bad-calls.ts';

export const badCalls = (): BadCalls => ({
  body: { id: 'AAAA', name: 'Laptop' },
  wrong: [
    { body: { id: 'not base64!' }, names: 'id' },
    { body: { name: 'n'.repeat(61) }, names: 'name' },
  ],
  refused: { passkey_not_found: {}, changed_meanwhile: 'race' },
});
