import { optional, requireVariable } from '../operation/environment.ts';

/**
 * Where the bucket is. A stand-in has all buckets under one host; S3 gives each a host of its own.
 * @see https://docs.aws.amazon.com/sdkref/latest/guide/feature-ss-endpoints.html for the variables
 */
const bucketUrl = (bucket: string): string => {
  const standIn = process.env['AWS_ENDPOINT_URL_S3'] || process.env['AWS_ENDPOINT_URL'];
  if (standIn) return `${standIn}/${bucket}`;
  const region = process.env['AWS_REGION'] ?? 'us-east-1';
  return `https://${bucket}.s3.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`;
};

/** The address of an object, without a signature. Throws if the function has no bucket. */
export const objectUrl = (key: string): URL => new URL(`${bucketUrl(requireVariable('OBJECTS_BUCKET'))}/${key}`);

/** The origin to which browsers upload; undefined if the function has no bucket. */
export const objectOrigin = (): string | undefined => {
  const bucket = optional('OBJECTS_BUCKET');
  return bucket && new URL(bucketUrl(bucket)).origin;
};
