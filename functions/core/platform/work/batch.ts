import type {
  DynamoDBBatchResponse,
  DynamoDBRecord,
  DynamoDBStreamEvent,
  SQSBatchResponse,
  SQSEvent,
  SQSRecord,
} from 'aws-lambda';
import * as v from 'valibot';
import { describeError, log } from '../log/log.ts';
import { RetryLaterError } from '../operation/worker.ts';

/**
 * Handles a queue's messages in parallel. A message that fails is returned to the queue for another attempt and, after the
 * queue's limit, goes to its dead-letter queue; the others are done. A message that does not match the schema fails too.
 */
export const queueHandler =
  <S extends v.GenericSchema>(schema: S, handle: (message: v.InferOutput<S>, record: SQSRecord) => Promise<void>) =>
  async (event: SQSEvent): Promise<SQSBatchResponse> => {
    const results = await Promise.allSettled(
      event.Records.map(async (record) => handle(v.parse(schema, JSON.parse(record.body)), record)),
    );
    const failures = event.Records.filter((record, index) => {
      const result = results[index];
      if (result?.status !== 'rejected') return false;
      const { reason } = result;
      const error = describeError(reason);
      if (reason instanceof RetryLaterError) log('info', 'message_comes_again', { messageId: record.messageId, error });
      else log('error', 'message_failed', { messageId: record.messageId, error });
      return true;
    });
    return { batchItemFailures: failures.map(({ messageId }) => ({ itemIdentifier: messageId })) };
  };

/**
 * Handles a batch of the table's stream. `handle` returns the first record it could not handle, if any: that one and
 * those after it are redelivered. If it throws, the whole batch is.
 */
export const streamHandler =
  (handle: (records: readonly DynamoDBRecord[]) => Promise<DynamoDBRecord | undefined>) =>
  async (event: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> => {
    const failed = await handle(event.Records);
    if (!failed) return { batchItemFailures: [] };
    const itemIdentifier = failed.dynamodb?.SequenceNumber ?? '';
    log('error', 'record_failed', { sequenceNumber: itemIdentifier });
    return { batchItemFailures: [{ itemIdentifier }] };
  };
