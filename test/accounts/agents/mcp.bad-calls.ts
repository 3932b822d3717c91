import type { BadCalls } from '#test/support/bad-calls.ts';

export const badCalls = (): BadCalls => ({
  body: { jsonrpc: '2.0', id: 1, method: 'ping' },
  wrong: [
    { body: { jsonrpc: '1.0' }, names: 'jsonrpc' },
    { body: { method: '' }, names: 'method' },
    { body: { id: {} }, names: 'id' },
    { body: { params: [] }, names: 'params' },
    { body: { params: { arguments: { note: 'the card 4111111111111111' } } }, names: 'params' },
  ],
  refused: {},
});
