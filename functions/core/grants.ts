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

export type SecretName =
  | 'jwt'
  | 'encryption'
  | 'provider-a'
  | 'provider-b'
  | 'rdr'
  | 'minfraud'
  | 'outcome-provider-a'
  | 'outcome-provider-b';

export type QueueName =
  | 'delivery'
  | 'mail'
  | 'sweep'
  | 'deadline'
  | 'enrollment'
  | 'rules'
  | 'settlement'
  | 'outcome-a'
  | 'outcome-b'
  | 'lookups'
  | 'chargebacks'
  | 'back-tests'
  | 'refunds';

/**
 * What one function may do. The stack turns it into an IAM policy and environment variables; a test compares it with the
 * commands really sent. A transaction needs the actions of its parts.
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
};

/** `due`: what is owed an attempt. The rest serve lists: one per scope, with and without the two filters. */
export const indexNames = ['due', 'list1', 'list1f', 'list2', 'list2f', 'list3', 'list3f', 'list4', 'list4f'] as const;
export type IndexName = (typeof indexNames)[number];

const queueVariable = {
  delivery: 'DELIVERY_QUEUE_URL',
  mail: 'MAIL_QUEUE_URL',
  sweep: 'SWEEP_QUEUE_URL',
  deadline: 'DEADLINE_QUEUE_URL',
  enrollment: 'ENROLLMENT_QUEUE_URL',
  rules: 'RULES_QUEUE_URL',
  settlement: 'SETTLEMENT_QUEUE_URL',
  'outcome-a': 'OUTCOME_A_QUEUE_URL',
  'outcome-b': 'OUTCOME_B_QUEUE_URL',
  lookups: 'LOOKUPS_QUEUE_URL',
  chargebacks: 'CHARGEBACKS_QUEUE_URL',
  'back-tests': 'BACK_TESTS_QUEUE_URL',
  refunds: 'REFUNDS_QUEUE_URL',
} as const satisfies Record<QueueName, Variable>;

const secretVariable = {
  jwt: 'JWT_SECRET_ID',
  encryption: 'ENCRYPTION_SECRET_ID',
  'provider-a': 'PROVIDER_A_SECRET_ID',
  'provider-b': 'PROVIDER_B_SECRET_ID',
  rdr: 'RDR_SECRET_ID',
  minfraud: 'MINFRAUD_SECRET_ID',
  'outcome-provider-a': 'OUTCOME_PROVIDER_A_SECRET_ID',
  'outcome-provider-b': 'OUTCOME_PROVIDER_B_SECRET_ID',
} as const satisfies Record<SecretName, Variable>;

/** Every queue, and every secret. */
export const everyQueue = Object.keys(queueVariable) as readonly QueueName[];
export const everySecret = Object.keys(secretVariable) as readonly SecretName[];

/** The variable through which a function learns a queue's address. */
export const variableOfQueue = (name: QueueName): Variable => queueVariable[name];

/** The variable through which a function learns where a secret lives. */
export const variableOfSecret = (name: SecretName): Variable => secretVariable[name];
