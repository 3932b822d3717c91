import { Aws, CfnOutput, Duration, Stack, type StackProps } from 'aws-cdk-lib';
import { CfnOIDCProvider, PolicyDocument, PolicyStatement, Role, WebIdentityPrincipal } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { stageNames } from './names.ts';

const issuer = 'token.actions.githubusercontent.com';
/** The qualifier that `cdk bootstrap` puts into the names of its roles by default. */
const qualifier = 'hnb659fds';

export type PipelineStackProps = StackProps & {
  /** The repository on GitHub whose workflow may deploy: `owner/name`. */
  repository: string;
  /** The stage, and the GitHub environment of the same name, whose reviewers approve a deployment. */
  stage: string;
  /** True if the account has the provider of GitHub already; it can have one only. */
  isProviderKnown: boolean;
};

/**
 * The role with which a workflow of one repository deploys one stage, without stored keys. It may use the roles of `cdk bootstrap` and read the state of that
 * stage's stack, and nothing else.
 * @see https://docs.github.com/en/actions/how-tos/secure-your-work/security-harden-deployments/oidc-in-aws
 */
export class PipelineStack extends Stack {
  constructor(scope: Construct, id: string, { repository, stage, isProviderKnown, ...props }: PipelineStackProps) {
    super(scope, id, props);
    if (!isProviderKnown) {
      new CfnOIDCProvider(this, 'GitHub', { url: `https://${issuer}`, clientIdList: ['sts.amazonaws.com'] });
    }
    const { prefix } = stageNames(stage);
    const bootstrapRole = (name: string): string =>
      `arn:${Aws.PARTITION}:iam::${Aws.ACCOUNT_ID}:role/cdk-${qualifier}-${name}-${Aws.ACCOUNT_ID}-${Aws.REGION}`;
    const role = new Role(this, 'DeployRole', {
      roleName: `${prefix}-deploy`,
      description: `Deploys ${prefix} from ${repository}`,
      maxSessionDuration: Duration.hours(2),
      assumedBy: new WebIdentityPrincipal(`arn:${Aws.PARTITION}:iam::${Aws.ACCOUNT_ID}:oidc-provider/${issuer}`, {
        StringEquals: {
          [`${issuer}:aud`]: 'sts.amazonaws.com',
          [`${issuer}:sub`]: `repo:${repository}:environment:${stage}`,
        },
      }),
      inlinePolicies: {
        deploy: new PolicyDocument({
          statements: [
            new PolicyStatement({
              actions: ['sts:AssumeRole'],
              resources: ['deploy-role', 'file-publishing-role', 'lookup-role'].map(bootstrapRole),
            }),
            new PolicyStatement({
              actions: ['cloudformation:DescribeStacks', 'cloudformation:DescribeStackEvents'],
              resources: [`arn:${Aws.PARTITION}:cloudformation:${Aws.REGION}:${Aws.ACCOUNT_ID}:stack/${prefix}/*`],
            }),
          ],
        }),
      },
    });
    new CfnOutput(this, 'DeployRoleArn', {
      value: role.roleArn,
      description: 'The variable AWS_ROLE of the environment',
    });
  }
}
