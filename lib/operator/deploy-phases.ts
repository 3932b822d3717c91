import { type CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { DescribeTableCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { stageNames } from '#lib/cloud/names.ts';
import { UserError } from '#lib/local/user-error.ts';

export type Deployment = {
  stage: string;
  /** The arguments for `cdk deploy`, the stage among them. */
  args: readonly string[];
  cloudFormation: Pick<CloudFormationClient, 'send'>;
  dynamodb: Pick<DynamoDBClient, 'send'>;
  /** Checks the account before anything is created. Throws a UserError for what would make the deployment fail. */
  preflight: () => Promise<void>;
  /** Runs `cdk deploy` with these arguments and returns its exit code. */
  deploy: (args: readonly string[]) => Promise<number>;
  say: (words: string) => void;
};

/** Before its first success a stack has one of these, or does not exist. The CDK deletes one that failed, and creates it again. */
const unborn: readonly string[] = ['REVIEW_IN_PROGRESS', 'ROLLBACK_COMPLETE', 'ROLLBACK_FAILED', 'DELETE_COMPLETE'];

/**
 * Deploys a stage; the first time in two phases. The first phase protects nothing, so that CloudFormation can delete what a failed deployment
 * has created. The second protects the table and, on `prod`, the stack. Returns the exit code. Throws the errors of CloudFormation, such as a
 * missing permission, and a UserError where the first phase would take away a protection.
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/WorkingWithTables.Basics.html#WorkingWithTables.Basics.DeletionProtection
 */
export const deployInPhases = async (deployment: Deployment): Promise<number> => {
  const { stage, cloudFormation, deploy, say } = deployment;
  const args = deployment.args.flatMap((arg) => (arg === '--all-at-once' ? ['-c', 'allAtOnce=true'] : [arg]));
  const { prefix } = stageNames(stage);
  const stack = await readStack(cloudFormation, prefix);
  if (stack && !unborn.includes(stack.status)) return deploy(args);
  if (stack?.isProtected || (await isTableProtected(deployment.dynamodb, prefix)))
    throw new UserError(
      `${prefix} has not been deployed here, but ${stack?.isProtected ? 'its stack' : `the table ${prefix}`} is protected from deletion. Check the Region and the account. For a table that an earlier stage has left, see "Take it down" in docs/runbook.md.`,
    );
  await deployment.preflight();
  say(`${prefix} has not been deployed yet. Phase 1 of 2 creates everything without deletion protection …`);
  const code = await deploy([...args, '-c', 'firstDeployment=true']);
  if (code !== 0) {
    say('The first deployment failed. See "The first deployment failed" in docs/runbook.md.');
    return code;
  }
  const created = await readStack(cloudFormation, prefix);
  if (created?.status === 'REVIEW_IN_PROGRESS') return code;
  if (created?.status !== 'CREATE_COMPLETE') {
    say(`The CDK has finished, but ${prefix} is ${created?.status ?? 'not'} there. Nothing is protected yet.`);
    return 1;
  }
  say('Phase 2 of 2 protects what was created …');
  return deploy(args);
};

/** A stack's status and protection; undefined if there is none. CloudFormation reports a missing stack as a validation error. */
const readStack = async (
  client: Deployment['cloudFormation'],
  StackName: string,
): Promise<{ status: string; isProtected: boolean } | undefined> => {
  try {
    const { Stacks = [] } = await client.send(new DescribeStacksCommand({ StackName }));
    const [stack] = Stacks;
    return stack && { status: stack.StackStatus ?? '', isProtected: stack.EnableTerminationProtection === true };
  } catch (error) {
    if (error instanceof Error && error.name === 'ValidationError' && error.message.includes('does not exist')) return;
    throw error;
  }
};

const isTableProtected = async (client: Deployment['dynamodb'], TableName: string): Promise<boolean> => {
  try {
    const { Table } = await client.send(new DescribeTableCommand({ TableName }));
    return Table?.DeletionProtectionEnabled === true;
  } catch (error) {
    if (error instanceof Error && error.name === 'ResourceNotFoundException') return false;
    throw error;
  }
};

/** A deployed stack for programs: its name, its status and its outputs by their names. */
export const readDeployment = async (
  cloudFormation: Deployment['cloudFormation'],
  stage: string,
): Promise<{ stack: string; status: string; outputs: Record<string, string> }> => {
  const StackName = stageNames(stage).prefix;
  const { Stacks = [] } = await cloudFormation.send(new DescribeStacksCommand({ StackName }));
  const outputs = (Stacks[0]?.Outputs ?? []).map(({ OutputKey = '', OutputValue = '' }) => [OutputKey, OutputValue]);
  return { stack: StackName, status: Stacks[0]?.StackStatus ?? '', outputs: Object.fromEntries(outputs) };
};
