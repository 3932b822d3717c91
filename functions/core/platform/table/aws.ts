import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';

const nothing = () => undefined;
/**
 * For each call the SDK builds a log line from everything sent and received, value by value, and discards it if there is no logger.
 * It builds none for a logger without `info`; in a read of a hundred rows this saves a sixth of the work.
 */
const withoutInfo = { trace: nothing, debug: nothing, warn: nothing, error: nothing } as NonNullable<
  DynamoDBClientConfig['logger']
>;

/**
 * The settings of every AWS client. Region and retries are explicit so that the SDK does not search for configuration files. Endpoints come
 * from the standard `AWS_ENDPOINT_URL_*` variables where they are set.
 */
export const clientSettings = {
  region: process.env['AWS_REGION'] ?? 'us-east-1',
  maxAttempts: 3,
  retryMode: 'standard',
  logger: withoutInfo,
} as const;
