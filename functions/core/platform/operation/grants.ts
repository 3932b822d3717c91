import type { Variable } from './environment.ts';

/** DynamoDB actions a function may be granted. Scan is absent on purpose. */
export type TableAction =
  | 'GetItem'
  | 'BatchGetItem'
  | 'PutItem'
  | 'UpdateItem'
  | 'DeleteItem'
  | 'ConditionCheckItem'
  | 'Query';

/** Secrets of the service itself, which the stack creates. */
export const serviceSecrets = ['jwt', 'encryption', 'minfraud', 'sift'] as const;
/** Secrets that an operator creates to use what they describe. The stack creates none, so nothing of them is lost when it goes back a release. */
export const operatorSecrets = ['operator-sso', 'processor-apps'] as const;
/** And those of alert providers, taken from their declarations. */
export type SecretName = (typeof serviceSecrets | typeof operatorSecrets)[number] | Lowercase<string>;

/** There is a queue for each worker that reads one: see `queuesOf` in core/platform/operation/worker.ts. */
export type QueueName = Lowercase<string>;

/**
 * The permissions of one function. The stack turns them into an IAM policy and environment variables; a test compares them with the
 * commands that the function sends. A transaction needs the actions of its parts.
 */
export type Grants = {
  table?: readonly TableAction[];
  /** Indexes it queries, by name. `Query` in `table` covers the table itself only. */
  indexes?: readonly IndexName[];
  secrets?: readonly SecretName[];
  /** Queues it sends to. */
  send?: readonly QueueName[];
  /** Creates, updates and deletes one-time schedules that send to the deadline queue. */
  schedules?: true;
  /** Sends e-mail. */
  mail?: true;
  /** The actions on files in the bucket, and their prefix; also what a signed address allows. */
  objects?: readonly ObjectGrant[];
};

/**
 * The partitions of the table that one function may touch: the first words of the keys of its rows, and the names of entities whose lists it
 * may query. `npm run fix` finds them in the function's code; the stack turns them into conditions of its policy.
 */
export type Partitions = { rows: readonly string[]; lists: readonly string[] };

/** `uploads`: not checked yet, for a day. `evidence`: checked. `exports`: made for a download, for a day. */
export const objectPrefixes = ['uploads', 'evidence', 'exports'] as const;
export type ObjectPrefix = (typeof objectPrefixes)[number];
export type ObjectGrant = `${'GetObject' | 'PutObject' | 'DeleteObject'} ${ObjectPrefix}`;

/** `due`: work that has to be done by a time. The others serve lists: one per scope, with and without the two filters. */
export const indexNames = [
  'due',
  ...(['list1', 'list1f', 'list2', 'list2f', 'list3', 'list3f', 'list4', 'list4f', 'list5f'] as const),
] as const;
export type IndexName = (typeof indexNames)[number];

/** The variable through which a function learns a queue's address. */
export const variableOfQueue = (name: QueueName): Variable => `${variableName(name)}_QUEUE_URL`;

/** The variable through which a function learns a secret's id. */
export const variableOfSecret = (name: SecretName): Variable => `${variableName(name)}_SECRET_ID`;

const variableName = (name: string): string => name.toUpperCase().replaceAll('-', '_');
