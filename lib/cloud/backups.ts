import { RemovalPolicy } from 'aws-cdk-lib';
import { CfnBackupPlan, CfnBackupSelection, CfnBackupVault } from 'aws-cdk-lib/aws-backup';
import { ManagedPolicy, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import type { Resources } from './policy.ts';

/**
 * A backup of the table and of the bucket with evidence each day, kept for `backupRetentionDays`, next to the table's continuous backups of the last 35 days. It
 * survives a table that is deleted, and AWS Backup can copy it to another Region or account.
 */
export const createBackups = (scope: Construct, { names, key, table, objects, settings }: Resources): void => {
  // An empty vault costs nothing, and one with backups cannot be deleted. It stays, and a deployment that finds it takes it over.
  const vault = new CfnBackupVault(scope, 'BackupVault', {
    backupVaultName: names.prefix,
    encryptionKeyArn: key.keyArn,
  });
  vault.applyRemovalPolicy(RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE);
  if (settings.backupRetentionDays === 0) return;
  const plan = new CfnBackupPlan(scope, 'BackupPlan', {
    backupPlan: {
      backupPlanName: names.prefix,
      backupPlanRule: [
        {
          ruleName: 'daily',
          targetBackupVault: vault.ref,
          scheduleExpression: 'cron(0 3 * * ? *)',
          startWindowMinutes: 60,
          completionWindowMinutes: 24 * 60,
          lifecycle: { deleteAfterDays: settings.backupRetentionDays },
        },
      ],
    },
  });
  const role = new Role(scope, 'BackupRole', {
    assumedBy: new ServicePrincipal('backup.amazonaws.com'),
    // https://docs.aws.amazon.com/aws-backup/latest/devguide/s3-backups.html
    managedPolicies: ['service-role/AWSBackupServiceRolePolicyForBackup', 'AWSBackupServiceRolePolicyForS3Backup'].map(
      (name) => ManagedPolicy.fromAwsManagedPolicyName(name),
    ),
  });
  new CfnBackupSelection(scope, 'BackupSelection', {
    backupPlanId: plan.attrBackupPlanId,
    backupSelection: {
      selectionName: 'data',
      iamRoleArn: role.roleArn,
      resources: [table.tableArn, objects.bucketArn],
    },
  });
};
