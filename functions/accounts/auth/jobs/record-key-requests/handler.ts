import type { CloudWatchLogsEvent } from 'aws-lambda';
import { readAccessLines } from '../../api-keys/key-request.ts';
import { recordKeyRequests } from '../../api-keys/key-request-store.ts';

/** If it throws, Lambda runs it twice more. */
export const handler = ({ awslogs: { data } }: CloudWatchLogsEvent): Promise<void> =>
  recordKeyRequests(readAccessLines(data));
