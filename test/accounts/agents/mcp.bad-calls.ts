import type { BadCalls } from '#test/support/bad-calls.ts';

export const badCalls = (): BadCalls => ({
  body: { jsonrpc: '2.0', id: 1, method: 'ping' },
  wrongBody: {
    jsonrpc: ['1.0'],
    method: [''],
    id: [{}],
    params: [[], { arguments: { note: 'the card 4111111111111111' } }],
  },
  refused: {},
});
