import type { Fixture } from '#test/flows/bad-calls.ts';
import type { BadCalls } from '#test/support/bad-calls.ts';

export const badCalls = ({ site: { mid }, otherTenant, connectionId }: Fixture): BadCalls => ({
  params: { mid, id: connectionId },
  body: {},
  wrong: [
    { params: { mid: 'x' }, names: 'mid' },
    { params: { id: 'n'.repeat(41) }, names: 'id' },
    { body: { from: 'yesterday' }, names: 'from' },
    { body: { from: '2020-01-01' }, names: 'from' },
    { body: { to: 7 }, names: 'to' },
    { body: { what: [] }, names: 'what' },
    { body: { what: ['orders'] }, names: 'what.0' },
  ],
  refused: {
    merchant_not_found: { params: { mid: otherTenant.mid } },
    connection_not_found: { params: { id: 'cn_of_nobody' } },
    import_unfinished: {},
  },
});
