import { queueHandler } from '#core/platform/work/batch.ts';
import { BackTestMessage } from '../../back-test/back-test-due.ts';
import { runBackTest } from '../../back-test/back-test-run-store.ts';

export const handler = queueHandler(BackTestMessage, ({ backTestId }) => runBackTest(backTestId));
