import type { BadCalls } from '#test/support/bad-calls.ts';

export const badCalls = (): BadCalls => ({
  body: { id: 'AAAA', name: 'Laptop' },
  wrongBody: { id: ['not base64!'], name: ['n'.repeat(61)] },
  refused: { passkey_not_found: {}, changed_meanwhile: 'race' },
});
