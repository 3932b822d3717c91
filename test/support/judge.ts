import { operations } from '#functions/operations.ts';
import { workers } from '#functions/workers.ts';
import { judgeOf } from '#lib/local/aws/access.ts';
import { type Declared, declarationOf } from '#lib/local/build/declared.ts';

/** The actions of DynamoDB by the SDK's commands. */
export const tableActions: Readonly<Record<string, string>> = {
  BatchGetCommand: 'BatchGetItem',
  BatchWriteCommand: 'BatchWriteItem',
  DeleteCommand: 'DeleteItem',
  GetCommand: 'GetItem',
  PutCommand: 'PutItem',
  QueryCommand: 'Query',
  ScanCommand: 'Scan',
  TransactWriteCommand: 'TransactWriteItems',
  UpdateCommand: 'UpdateItem',
};

/** Clients by what their calls are known by on the wire: the target header, or the path. */
const targets = { dynamo: 'DynamoDB_20120810', sqs: 'AmazonSQS', secrets: 'secretsmanager' } as const;
const paths = { ses: '/v2/email/outbound-emails', scheduler: '/schedules/one' } as const;
export type JudgedService = keyof typeof targets | keyof typeof paths;

const declared = new Map<string, Declared>(
  [...operations, ...workers].map((one) => [`${one.area}/${one.name}`, declarationOf(one)]),
);

/**
 * Compares a command of an AWS client, sent by the function `<area>/<name>`, with the function's grants. Returns the error with which its
 * role refuses it on AWS; undefined if it is granted.
 */
export const judgeCommand = (
  functionName: string,
  service: JudgedService,
  command: string,
  input: object,
): Error | undefined => {
  const one = declared.get(functionName);
  if (!one) throw new Error(`No function is called ${functionName}`);
  const judge = judgeOf(
    [one],
    () => `-${one.deployedName}`,
    () => undefined,
  );
  if (service === 'ses' || service === 'scheduler') return judge('', paths[service], () => input);
  const action = service === 'dynamo' ? (tableActions[command] ?? command) : command.replace(/Command$/, '');
  return judge(`${targets[service]}.${action}`, '/', () => input);
};
