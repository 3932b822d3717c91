import type { Operation } from '#core/platform/operation/operation.ts';
import type { Worker } from '#core/platform/operation/worker.ts';
import { type Judge, makeJudge } from '#lib/local/aws/access.ts';
import { toDeclared } from '#lib/local/build/declared-functions.ts';

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

const judges = new WeakMap<Operation | Worker, Judge>();

const openJudge = (declared: Operation | Worker): Judge => {
  const one = toDeclared(declared);
  const judge = makeJudge(
    [one],
    () => `-${one.deployedName}`,
    () => undefined,
  );
  judges.set(declared, judge);
  return judge;
};

/**
 * Compares a command of an AWS client, sent by a function, with the function's grants. Returns the error with which its role refuses it on
 * AWS; undefined if it is granted.
 */
export const judgeCommand = (
  declared: Operation | Worker,
  service: JudgedService,
  command: string,
  input: object,
): Error | undefined => {
  const judge = judges.get(declared) ?? openJudge(declared);
  if (service === 'ses' || service === 'scheduler') return judge('', paths[service], () => input);
  const action = service === 'dynamo' ? (tableActions[command] ?? command) : command.replace(/Command$/, '');
  return judge(`${targets[service]}.${action}`, '/', () => input);
};
