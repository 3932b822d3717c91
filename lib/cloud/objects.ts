import { Aws, Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { BlockPublicAccess, Bucket, BucketEncryption, HttpMethods, ObjectOwnership } from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';
import type { ObjectPrefix } from '#core/platform/operation/grants.ts';
import type { Names } from './names.ts';
import type { Settings } from './settings.ts';

/** The bucket with files that people upload or download. */
export type ObjectBucket = { bucketName: string; bucketArn: string };

/** In days. A chargeback is decided within 400 days; what is not checked or was made for one download is not needed for long. */
const keptDays: Readonly<Record<ObjectPrefix, number>> = { uploads: 1, evidence: 730, exports: 1 };

/** Browsers upload and download by signed addresses, from the dashboard's origin if that is known. */
export const createObjectBucket = (
  scope: Construct,
  names: Names,
  key: IKey,
  { dashboardUrl, backupRetentionDays }: Settings,
): ObjectBucket =>
  new Bucket(scope, 'Objects', {
    // A fixed name, or a stage that goes back a release and forward again would get a new bucket without its files.
    // CloudFormation takes an existing bucket over only if the template has the account's number as text.
    bucketName: `${names.prefix}-${process.env['CDK_DEFAULT_ACCOUNT'] ?? Aws.ACCOUNT_ID}-${Stack.of(scope).region}`,
    encryption: BucketEncryption.KMS,
    encryptionKey: key,
    bucketKeyEnabled: true,
    blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
    objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
    enforceSSL: true,
    minimumTLSVersion: 1.2,
    removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
    // AWS Backup needs it: https://docs.aws.amazon.com/aws-backup/latest/devguide/s3-backups.html
    versioned: true,
    lifecycleRules: Object.entries(keptDays).map(([prefix, days]) => ({
      id: prefix,
      prefix: `${prefix}/`,
      expiration: Duration.days(days),
      // Replaced and removed files can be restored for as long as their backups are kept.
      noncurrentVersionExpiration: Duration.days(prefix === 'evidence' ? Math.max(1, backupRetentionDays) : 1),
    })),
    cors: [
      {
        allowedMethods: [HttpMethods.PUT],
        allowedOrigins: [dashboardUrl === '' ? '*' : new URL(dashboardUrl).origin],
        allowedHeaders: ['content-type'],
        maxAge: 3600,
      },
    ],
  });
