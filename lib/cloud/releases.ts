import { Aws } from 'aws-cdk-lib';
import { type ILambdaDeploymentConfig, LambdaApplication, LambdaDeploymentConfig } from 'aws-cdk-lib/aws-codedeploy';
import { type IRole, ManagedPolicy, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import type { Names } from './names.ts';
import type { Settings } from './settings.ts';

/** The alias that everything calls. It points to a published version, and during a release to two. */
export const liveAlias = 'live';

/** The resources by which CodeDeploy moves traffic to new versions. */
export type Releases = { application: LambdaApplication; role: IRole; config: ILambdaDeploymentConfig };

/** Creates the CodeDeploy application of a stage, and the role under which it moves aliases and reads alarms. */
export const createReleases = (scope: Construct, names: Names, { allAtOnce }: Settings): Releases => ({
  application: new LambdaApplication(scope, 'Releases', { applicationName: names.prefix }),
  role: new Role(scope, 'ReleasesRole', {
    assumedBy: new ServicePrincipal('codedeploy.amazonaws.com', {
      conditions: { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } },
    }),
    managedPolicies: [ManagedPolicy.fromAwsManagedPolicyName('service-role/AWSCodeDeployRoleForLambdaLimited')],
  }).withoutPolicyUpdates(),
  config: allAtOnce ? LambdaDeploymentConfig.ALL_AT_ONCE : LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES,
});
