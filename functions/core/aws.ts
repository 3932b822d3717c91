/**
 * How every AWS client is made. Region and retries are explicit so that the SDK does not search for configuration files.
 * Endpoints come from the standard `AWS_ENDPOINT_URL_*` variables where they are set.
 */
export const clientSettings = {
  region: process.env['AWS_REGION'] ?? 'us-east-1',
  maxAttempts: 3,
  retryMode: 'standard',
} as const;
