import type { BadCalls } from '#test/support/bad-calls.ts';

export const badCalls = (): BadCalls => ({
  body: { id: 'AAAA' },
  wrongBody: { id: ['not base64!'] },
  refused: { passkey_not_found: {}, changed_meanwhile: 'race' },
});
