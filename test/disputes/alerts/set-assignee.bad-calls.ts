import type { Fixture } from '#test/flows/bad-calls.ts';
import type { BadCalls } from '#test/support/bad-calls.ts';

export const badCalls = ({ openId }: Fixture): BadCalls => ({
  params: { alert_id: openId },
  body: { assignee: null },
  wrongParams: { alert_id: ['x'] },
  wrongBody: { assignee: ['', 'n'.repeat(101)] },
  refused: {
    alert_not_found: { as: 'otherTenant' },
    user_not_found: { body: { assignee: 'nobody-of-this-name' } },
    changed_meanwhile: 'race',
  },
});
