import { RemovalPolicy } from 'aws-cdk-lib';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';

/**
 * A group of log lines, kept for a year as PCI DSS 10.7 asks. It outlives the function and the stack, as removing them must not
 * delete the traces of what they did. It is removed only if the deployment that creates it fails, so that the next one can.
 */
export const createLogGroup = (scope: Construct, id: string, logGroupName: string, encryptionKey: IKey): LogGroup =>
  new LogGroup(scope, id, {
    logGroupName,
    retention: RetentionDays.ONE_YEAR,
    encryptionKey,
    removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
  });
