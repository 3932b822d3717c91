import type { BadCalls } from '#test/support/bad-calls.ts';

export const badCalls = (): BadCalls => ({
  body: { id: 'AAAA' },
  wrong: [{ body: { id: 'not base64!' }, names: 'id' }],
  refused: { passkey_not_found: {}, changed_meanwhile: 'race' },
});
