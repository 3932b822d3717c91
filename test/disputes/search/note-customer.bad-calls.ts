import type { Fixture } from '#test/flows/bad-calls.ts';
import type { BadCalls } from '#test/support/bad-calls.ts';
import { customerCalls } from './customer-details.bad-calls.ts';

export const badCalls = (fixture: Fixture): BadCalls => {
  const { wrongBody, refused } = customerCalls(fixture);
  return { body: { purchase_id: 1, note: 'A note.' }, wrongBody: { ...wrongBody, note: [''] }, refused };
};
