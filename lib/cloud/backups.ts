import { RemovalPolicy } from 'aws-cdk-lib';
import { CfnBackupPlan, CfnBackupSelection, CfnBackupVault } from 'aws-cdk-lib/aws-backup';
import { ManagedPolicy, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import type { Resources } from './policy.ts';

/**
 * A backup of the table each day, kept for `backupRetentionDays`, next to the continuous backups of the last 35 days. It survives a table that is
 * deleted, and AWS Backup can copy it to another Region or account.
 */
export const createBackups = (scope: Construct, { names, key, table, settings }: Resources): void => {
  if (settings.backupRetentionDays === 0) return;
  const vault = new CfnBackupVault(scope, 'BackupVault', {
    backupVaultName: names.prefix,
    encryptionKeyArn: key.keyArn,
  });
  vault.applyRemovalPolicy(RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE);
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
    managedPolicies: [ManagedPolicy.fromAwsManagedPolicyName('service-role/AWSBackupServiceRolePolicyForBackup')],
  });
  new CfnBackupSelection(scope, 'BackupSelection', {
    backupPlanId: plan.attrBackupPlanId,
    backupSelection: { selectionName: 'table', iamRoleArn: role.roleArn, resources: [table.tableArn] },
  });
};
