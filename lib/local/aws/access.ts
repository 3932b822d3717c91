import { ClientRequest } from 'node:http';
import * as v from 'valibot';
import { isFields } from '#core/kernel/is-object.ts';
import { type Grants, type Partitions, variableOfQueue, variableOfSecret } from '#core/platform/operation/grants.ts';
import { listQueues } from '#core/platform/operation/worker.ts';
import { everySecret } from '#disputes/providers/providers.ts';
import { workers } from '#functions/workers.ts';
import { dueWord, leadingText } from '#lib/build/partitions-of-functions.ts';
import { type Declared, findDeclared } from '../build/declared-functions.ts';

/**
 * An action of a function at AWS, in the words of its declared grants: `table PutItem`, `index list1`, `secret jwt`, `send delivery`,
 * `schedules`, `mail`, `objects GetObject evidence`.
 */
export type AwsAction = string;

/** The AWS actions that grants allow. */
const awsActionsOf = ({
  table = [],
  indexes = [],
  secrets = [],
  send = [],
  schedules,
  mail,
  objects = [],
}: Grants): AwsAction[] => [
  ...table.map((action) => `table ${action}`),
  ...indexes.map((index) => `index ${index}`),
  ...secrets.map((secret) => `secret ${secret}`),
  ...send.map((queue) => `send ${queue}`),
  ...(schedules ? ['schedules'] : []),
  ...(mail ? ['mail'] : []),
  ...objects.map((grant) => `objects ${grant}`),
];

const Call = v.looseObject({
  IndexName: v.optional(v.string()),
  TransactItems: v.optional(v.array(v.record(v.string(), v.unknown())), []),
  QueueUrl: v.optional(v.string()),
  SecretId: v.optional(v.string()),
});

const verbs: Readonly<Record<string, string>> = { ConditionCheck: 'ConditionCheckItem', TransactGetItems: 'GetItem' };

/** Returns the actions that one call to AWS needs, by its target header (`DynamoDB_20120810.Query`) or path, and its parsed body. */
export const awsActionsOfCall = (target: string, path: string, body: unknown): AwsAction[] => {
  if (path.startsWith('/schedules/')) return ['schedules'];
  if (path.startsWith('/v2/email/')) return ['mail'];
  if (target.startsWith('S3.')) return [`objects ${target.slice(3)} ${path.split('/')[2] ?? ''}`];
  const call = v.parse(Call, body);
  const [service = '', action = ''] = target.split('.');
  if (service.startsWith('DynamoDB')) return tableActions(action, call);
  if (service === 'AmazonSQS') {
    const queue = listQueues(workers).find((name) => process.env[variableOfQueue(name)] === call.QueueUrl);
    return [`send ${queue ?? call.QueueUrl}`];
  }
  const secret = everySecret.find((name) => process.env[variableOfSecret(name)] === call.SecretId);
  return [`secret ${secret ?? call.SecretId}`];
};

/** Returns the partitions in a call's keys and items, in their wire format. */
const partitionsIn = (value: unknown): string[] => {
  if (Array.isArray(value)) return value.flatMap(partitionsIn);
  if (!isFields(value)) return [];
  const pk = textValue(value['pk']);
  return pk === undefined ? Object.values(value).flatMap(partitionsIn) : [pk];
};

/** A text in DynamoDB's own notation, or as it was before it was put into that. */
const textValue = (value: unknown): string | undefined => {
  const text = isFields(value) ? value['S'] : value;
  return typeof text === 'string' ? text : undefined;
};

/**
 * The partitions that a call touches, of the table and of its indexes: by its keys and items, and of a query by the value that its
 * condition on the key has for them.
 */
export const partitionsOfCall = (target: string, body: unknown): Partitions => {
  if (!target.startsWith('DynamoDB')) return { rows: [], lists: [] };
  const { IndexName, KeyConditionExpression = '', ExpressionAttributeValues = {}, ...call } = v.parse(TableCall, body);
  const [, placeholder = ''] = /^\(?#?\w+ = (:\w+)/.exec(KeyConditionExpression) ?? [];
  const queried = textValue(ExpressionAttributeValues[placeholder]);
  if (IndexName !== undefined) return { rows: [], lists: queried === undefined ? [] : [queried] };
  const keys = partitionsIn([call['Key'], call['Item'], call['RequestItems'], call['TransactItems']]);
  return { rows: queried === undefined ? keys : [queried], lists: [] };
};

const TableCall = v.looseObject({
  IndexName: v.optional(v.string()),
  KeyConditionExpression: v.optional(v.string()),
  ExpressionAttributeValues: v.optional(v.record(v.string(), v.unknown())),
});

/** A partition that a function may not touch; undefined if there is none. */
const foreignPartition = (allowed: Partitions, touched: Partitions): string | undefined => {
  const isForeign = (words: readonly string[]) => (one: string) =>
    !words.some((word) => one.startsWith(leadingText(word)));
  const foreign =
    touched.rows.find(isForeign(allowed.rows)) ?? touched.lists.find(isForeign([...allowed.lists, dueWord]));
  return foreign?.split('#')[0];
};

const tableActions = (action: string, { IndexName, TransactItems }: v.InferOutput<typeof Call>): AwsAction[] => {
  if (IndexName !== undefined) return [`index ${IndexName}`];
  if (action === 'TransactWriteItems') {
    return TransactItems.flatMap((part) => Object.keys(part).map((verb) => `table ${verbs[verb] ?? `${verb}Item`}`));
  }
  return [`table ${verbs[action] ?? action}`];
};

/** A function that did what it was not granted: on AWS, the call would have been refused. */
class AccessDenied extends Error {
  override readonly name = 'AccessDenied';
}

/**
 * Says what is wrong with a call to AWS, by its target header (`DynamoDB_20120810.Query`), path and parsed body; undefined if
 * nothing is.
 */
export type Judge = (target: string, path: string, body: () => unknown) => Error | undefined;

/**
 * Checks every function of this process against its declared grants, as its role does on AWS. `onAwsAction` is called with each, and with
 * the function's `area/name`.
 */
export const makeJudge = (
  declared: readonly Declared[],
  running: () => string | undefined,
  onAwsAction: (name: string, awsAction: AwsAction) => void,
): Judge => {
  const known = new Map<string, { found: Declared | undefined; allowed: ReadonlySet<AwsAction> }>();
  const knownOf = (functionName: string) => {
    const found = findDeclared(declared, functionName);
    const one = { found, allowed: new Set(found && awsActionsOf(found.grants)) };
    known.set(functionName, one);
    return one;
  };
  return (target, path, bodyOf) => {
    const functionName = running();
    if (functionName === undefined) return undefined;
    const { found, allowed } = known.get(functionName) ?? knownOf(functionName);
    // Not a function's call: the stack's own, or a test's.
    if (!found) return undefined;
    const body = bodyOf();
    const awsActions = awsActionsOfCall(target, path, body);
    for (const awsAction of awsActions) onAwsAction(`${found.area}/${found.name}`, awsAction);
    const foreign = found.partitions && foreignPartition(found.partitions, partitionsOfCall(target, body));
    const refused =
      awsActions.find((awsAction) => !allowed.has(awsAction)) ??
      (foreign && `partitions ${foreign}; npm run fix registers those that its code names`);
    return refused ? new AccessDenied(`${found.area}/${found.name} is not granted: ${refused}`) : undefined;
  };
};

/**
 * Looks at every call to AWS that is made in this process, before it is sent, and breaks off those that `judge` answers
 * with an error. On the class of all requests: the SDK keeps the `http.request` that it finds at its first call. The answer
 * takes it back.
 */
export const watchAwsCalls = (judge: Judge): (() => void) => {
  const { prototype } = ClientRequest;
  const original = prototype.end;
  const watch = function (this: ClientRequest, ...given: unknown[]): ClientRequest {
    const [path = '', query = ''] = this.path.split('?');
    const target = query.includes('X-Amz-Signature=') ? objectTarget(this.method) : this.getHeader('x-amz-target');
    const isAws = typeof target === 'string' || /^\/(schedules|v2\/email)\//.test(path);
    const error = isAws ? judge(String(target ?? ''), path, () => bodyJson(given[0])) : undefined;
    return error ? this.destroy(error) : Reflect.apply(original, this, given);
  };
  prototype.end = watch;
  return () => {
    if (prototype.end === watch) prototype.end = original;
  };
};

/** S3 has no target header: the method says what is done to an object. */
const objectTarget = (method: string): string => `S3.${method.charAt(0)}${method.slice(1).toLowerCase()}Object`;

/** Files are no JSON, and say nothing about what is done. */
const bodyJson = (body: unknown): unknown => {
  try {
    return JSON.parse(bodyText(body) || '{}');
  } catch {
    return {};
  }
};

const bodyText = (body: unknown): string => {
  if (body instanceof Uint8Array) return Buffer.from(body).toString();
  return typeof body === 'string' ? body : '';
};
