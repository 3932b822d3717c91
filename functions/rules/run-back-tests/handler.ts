import { queueHandler } from '../../core/batch.ts';
import { BackTestMessage } from '../../notifications/messages.ts';
import { runBackTest } from '../back-test-run-store.ts';

export const handler = queueHandler(BackTestMessage, ({ backTestId }) => runBackTest(backTestId));
