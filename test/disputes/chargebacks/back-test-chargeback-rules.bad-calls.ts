import type { Fixture } from '#test/flows/bad-calls.ts';
import type { BadCalls } from '#test/support/bad-calls.ts';

const rule = {
  conditions: { all: [{ fact: 'hours_to_due', operator: 'lessThanInclusive', value: 1 }] },
  action: { type: 'submit' },
};

export const badCalls = ({ otherTenant, site: { mid, sid } }: Fixture): BadCalls => ({
  body: { mid, rule },
  wrongBody: { mid: ['none'], days: [401], size: [51], rule_id: [1], cursor: ['!'] },
  wrong: [{ body: { rule: { ...rule, action: { type: 'pay' } } }, names: 'rule.action.type' }],
  refused: {
    merchant_not_found: { body: { mid: otherTenant.mid } },
    site_not_found: { body: { mid: undefined, sid: otherTenant.sid } },
    site_not_for_payments: { body: { mid: undefined, sid } },
    rule_not_found: { body: { rule: undefined, rule_id: 987_654 } },
  },
});
