import { queueHandler } from '#core/platform/work/batch.ts';
import { BackTestMessage } from '#core/platform/work/messages.ts';
import { runBackTest } from '../../back-test/back-test-run-store.ts';

export const handler = queueHandler(BackTestMessage, ({ backTestId }) => runBackTest(backTestId));
