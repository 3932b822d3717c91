import { queueHandler } from '#core/platform/work/batch.ts';
import { runBackTest } from '../../back-test/back-test-run-store.ts';
import { BackTestMessage } from '../../back-test-due.ts';

export const handler = queueHandler(BackTestMessage, ({ backTestId }) => runBackTest(backTestId));
