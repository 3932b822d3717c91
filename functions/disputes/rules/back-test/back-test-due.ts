import * as v from 'valibot';
import { defineDue } from '#core/platform/work/due.ts';

/** Continue this back-test. */
export const BackTestMessage = v.object({ backTestId: v.string() });

/** A back-test runs. Whatever starts or continues it sends the message. */
export const backTestDue = defineDue({
  kind: 'BACK_TEST',
  queue: 'back-tests',
  message: BackTestMessage,
  swept: ({ id }) => ({ backTestId: String(id) }),
});
