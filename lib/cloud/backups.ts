import { Aws, Fn, RemovalPolicy } from 'aws-cdk-lib';
import { CfnBackupPlan, CfnBackupSelection, CfnBackupVault } from 'aws-cdk-lib/aws-backup';
import { ManagedPolicy, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import type { Resources } from './policy.ts';
import { isProtected } from './settings.ts';

/**
 * A backup of the table and of the bucket with evidence each day, kept for `backupRetentionDays`, next to the table's continuous backups of the last 35 days. It
 * survives a table that is deleted, and AWS Backup can copy it to another Region or account.
 */
export const createBackups = (scope: Construct, { names, key, table, objects, settings }: Resources): void => {
  // An empty vault costs nothing. It stays when backups are switched off, because its name would be taken when they are switched on
  // again. A new stack of the stage uses a new name, because the vault of the old stack is retained.
  const stackId = Fn.select(2, Fn.split('/', Aws.STACK_ID));
  const vault = new CfnBackupVault(scope, 'BackupVault', {
    backupVaultName: `${names.prefix}-${Fn.select(0, Fn.split('-', stackId))}`,
    encryptionKeyArn: key.keyArn,
  });
  const isEmpty = settings.backupRetentionDays === 0 && !isProtected(settings.stage);
  vault.applyRemovalPolicy(isEmpty ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE);
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
