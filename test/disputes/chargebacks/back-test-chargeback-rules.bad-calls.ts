import type { Fixture } from '#test/flows/bad-calls.ts';
import type { BadCalls } from '#test/support/bad-calls.ts';

const rule = {
  conditions: { all: [{ fact: 'hours_to_due', operator: 'lessThanInclusive', value: 1 }] },
  action: { type: 'submit' },
};

export const badCalls = ({ otherTenant, site: { mid, sid } }: Fixture): BadCalls => ({
  body: { mid, rule },
  wrong: [
    { body: { mid: 'none' }, names: 'mid' },
    { body: { days: 401 }, names: 'days' },
    { body: { size: 51 }, names: 'size' },
    { body: { rule: { ...rule, action: { type: 'pay' } } }, names: 'rule.action.type' },
    { body: { rule_id: 1 }, names: 'rule_id' },
    { body: { cursor: '!' }, names: 'cursor' },
  ],
  refused: {
    merchant_not_found: { body: { mid: otherTenant.mid } },
    site_not_found: { body: { mid: undefined, sid: otherTenant.sid } },
    site_not_for_payments: { body: { mid: undefined, sid } },
    rule_not_found: { body: { rule: undefined, rule_id: 987_654 } },
  },
});
