import type { SQSRecord } from 'aws-lambda';

/** A message as Lambda hands it to a function, the `receipts`-th time. */
export const sqsRecord = (messageId: string, body: unknown, receipts = 1): SQSRecord => ({
  messageId,
  receiptHandle: messageId,
  body: typeof body === 'string' ? body : JSON.stringify(body),
  attributes: {
    ...{ ApproximateReceiveCount: String(receipts), ApproximateFirstReceiveTimestamp: '0' },
    ...{ SentTimestamp: '0', SenderId: '' },
  },
  messageAttributes: {},
  ...{ md5OfBody: '', eventSource: 'aws:sqs', eventSourceARN: '', awsRegion: 'eu-west-1' },
});
