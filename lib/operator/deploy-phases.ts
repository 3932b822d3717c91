import { type CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { namesOf } from '#lib/cloud/names.ts';

export type Deployment = {
  /** The operator's arguments for `cdk deploy`. */
  args: readonly string[];
  cloudFormation: Pick<CloudFormationClient, 'send'>;
  /** Runs `cdk deploy` with these arguments and returns its exit code. */
  deploy: (args: readonly string[]) => Promise<number>;
  say: (words: string) => void;
};

/** Before its first success a stack has one of these, or does not exist. The CDK deletes one that failed, and creates it again. */
const unborn: readonly string[] = ['REVIEW_IN_PROGRESS', 'ROLLBACK_COMPLETE', 'ROLLBACK_FAILED', 'DELETE_COMPLETE'];

/**
 * Deploys a stage; the first time in two phases. The first phase protects nothing, so that CloudFormation can delete what a failed deployment
 * has created. The second protects the table and, on `prod`, the stack. Returns the exit code. Throws the errors of CloudFormation, such as a
 * missing permission.
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/WorkingWithTables.Basics.html#WorkingWithTables.Basics.DeletionProtection
 */
export const deployInPhases = async ({ args: given, cloudFormation, deploy, say }: Deployment): Promise<number> => {
  const args = given.flatMap((arg) => (arg === '--all-at-once' ? ['-c', 'allAtOnce=true'] : [arg]));
  const stackName = stackNameIn(args);
  const status = await getStackStatus(cloudFormation, stackName);
  if (status !== undefined && !unborn.includes(status)) return deploy(args);
  say(`${stackName} has not been deployed yet. Phase 1 of 2 creates everything without deletion protection …`);
  const code = await deploy([...args, '-c', 'firstDeployment=true']);
  if (code !== 0) {
    say('The first deployment failed. See "The first deployment failed" in docs/runbook.md.');
    return code;
  }
  if ((await getStackStatus(cloudFormation, stackName)) !== 'CREATE_COMPLETE') return code;
  say('Phase 2 of 2 protects what was created …');
  return deploy(args);
};

const stackNameIn = (args: readonly string[]): string => namesOf(contextOf(args, 'stage') ?? 'dev').prefix;

/** A value that the command line gives as `-c name=value` or `--context name=value`; the last one counts. */
export const contextOf = (args: readonly string[], name: string): string | undefined =>
  args.reduce<string | undefined>((found, arg, index) => {
    const own = /^--context=(.*)$/.exec(arg)?.[1] ?? (['-c', '--context'].includes(args[index - 1] ?? '') ? arg : '');
    return own.startsWith(`${name}=`) ? own.slice(name.length + 1) : found;
  }, undefined);

/** The status of a stack; undefined if there is none. CloudFormation reports a missing stack as a validation error. */
const getStackStatus = async (client: Deployment['cloudFormation'], StackName: string): Promise<string | undefined> => {
  try {
    const { Stacks = [] } = await client.send(new DescribeStacksCommand({ StackName }));
    return Stacks[0]?.StackStatus;
  } catch (error) {
    if (error instanceof Error && error.name === 'ValidationError' && error.message.includes('does not exist')) return;
    throw error;
  }
};

/** A deployed stack for programs: its name, its status and its outputs by their names. */
export const readDeployment = async (
  cloudFormation: Deployment['cloudFormation'],
  args: readonly string[],
): Promise<{ stack: string; status: string; outputs: Record<string, string> }> => {
  const StackName = stackNameIn(args);
  const { Stacks = [] } = await cloudFormation.send(new DescribeStacksCommand({ StackName }));
  const outputs = (Stacks[0]?.Outputs ?? []).map(({ OutputKey = '', OutputValue = '' }) => [OutputKey, OutputValue]);
  return { stack: StackName, status: Stacks[0]?.StackStatus ?? '', outputs: Object.fromEntries(outputs) };
};
