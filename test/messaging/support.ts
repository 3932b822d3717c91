import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBRecord, SQSEvent, AttributeValue as StreamedValue } from 'aws-lambda';
import { mockClient } from 'aws-sdk-client-mock';
import { vi } from 'vitest';
import { type AlertSettings, defaultDeadlineHours, type Site, sealContext } from '#accounts/merchants/site/site.ts';
import { setClock } from '#core/kernel/clock.ts';
import { type KeyRing, seal } from '#core/kernel/crypto.ts';
import { type Grants, variableOfQueue } from '#core/platform/operation/grants.ts';
import type { Item } from '#core/platform/table/table.ts';
import { sqsRecord } from '#test/support/sqs-record.ts';

const queueUrls = {
  delivery: 'https://sqs/delivery',
  mail: 'https://sqs/mail',
  sweep: 'https://sqs/sweep',
  deadline: 'https://sqs/deadline',
  settlement: 'https://sqs/settlement',
  'outcome-a': 'https://sqs/outcome-a',
  'outcome-b': 'https://sqs/outcome-b',
  lookups: 'https://sqs/lookups',
  chargebacks: 'https://sqs/chargebacks',
};
Object.assign(process.env, {
  ENCRYPTION_SECRET_ID: 'encryption',
  ALLOW_LOOPBACK_HTTP: 'true',
  DELIVERY_QUEUE_URL: queueUrls.delivery,
  MAIL_QUEUE_URL: queueUrls.mail,
  SWEEP_QUEUE_URL: queueUrls.sweep,
  DEADLINE_QUEUE_URL: queueUrls.deadline,
  SETTLEMENT_QUEUE_URL: queueUrls.settlement,
  OUTCOME_A_QUEUE_URL: queueUrls['outcome-a'],
  OUTCOME_B_QUEUE_URL: queueUrls['outcome-b'],
  LOOKUPS_QUEUE_URL: queueUrls.lookups,
  CHARGEBACKS_QUEUE_URL: queueUrls.chargebacks,
});

const ring: KeyRing = { current: 'k1', keys: { k1: 'a key for tests' } };
mockClient(SecretsManagerClient)
  .on(GetSecretValueCommand)
  .resolves({ SecretString: JSON.stringify({ current: ring.current, ...ring.keys }) });

/** Stands the clock still at a time (ISO). */
export const clockAt = (time: string): void => setClock(() => Date.parse(time));

export const signingSecret = `whsec_${Buffer.from('a signing secret of the tests').toString('base64')}`;
export const olderSigningSecret = `whsec_${Buffer.from('the signing secret before').toString('base64')}`;
export const token = 'a-token-of-the-merchant';

const noSettings: AlertSettings = {
  alertapiurl: null,
  descriptorid: '',
  username: '',
  token: null,
  default_dispute_action: null,
  max_refund_amount: null,
  alert_triggeremail: false,
  alert_email: [],
  shieldrdr_review_email: [],
  statusupdate_url: null,
  status_update_opt_in: true,
  enrollment_url: null,
  deadline_warning: false,
  deadline_hours: defaultDeadlineHours,
};

const sealed = (context: string, text: string, validUntil: string | null = null) => ({
  sealed: seal(ring, context, text),
  validUntil,
});

/** An alert site whose new alerts go to a URL. */
export const alertSite = (sid: number, url: string | null, change: Partial<AlertSettings> = {}): Site => ({
  sid,
  mid: 1,
  rid: 2,
  name: 'Shop',
  merchantName: 'Merchant',
  retailerName: 'Retailer',
  createdAt: '2026-01-01T00:00:00.000Z',
  type: 'alert',
  profile: {},
  alert: { ...noSettings, alertapiurl: url, token: sealed(sealContext.token(sid), token), ...change },
  payment: null,
  threeDs: null,
  rcodes: [],
  signingSecrets: [sealed(sealContext.signingSecret(sid), signingSecret)],
  version: 1,
});

/** The same in the 24 hours after a rotation of its signing secret. */
export const withOlderSecret = (site: Site, validUntil: string): Site => ({
  ...site,
  signingSecrets: [...site.signingSecrets, sealed(sealContext.signingSecret(site.sid), olderSigningSecret, validUntil)],
});

export type Sent = { queue: string; body: Item; group: string | undefined; delay?: number };

/** Replaces SQS: keeps what is sent, refuses what a test chooses. `more`: queues in addition to the service's, by name. */
export const fakeQueues = (more: Readonly<Record<Lowercase<string>, string>> = {}) => {
  const urls = Object.entries({ ...queueUrls, ...more });
  for (const [name, url] of Object.entries(more)) process.env[variableOfQueue(name as Lowercase<string>)] = url;
  const sent: Sent[] = [];
  const calls: number[] = [];
  let refuses: (body: Item) => boolean = () => false;
  mockClient(SQSClient)
    .on(SendMessageBatchCommand)
    .callsFake(({ QueueUrl, Entries = [] }) => {
      calls.push(Entries.length);
      const [queue] = urls.find(([, url]) => url === QueueUrl) ?? [];
      const Failed: { Id: string }[] = [];
      for (const { Id, MessageBody, MessageGroupId, DelaySeconds } of Entries) {
        const body = JSON.parse(MessageBody);
        if (queue === undefined || refuses(body)) Failed.push({ Id });
        else sent.push({ queue, body, group: MessageGroupId, ...(DelaySeconds && { delay: DelaySeconds }) });
      }
      return { Failed };
    });
  return {
    sent,
    /** The number of messages of each call. */
    calls,
    refuse: (which: (body: Item) => boolean) => {
      refuses = which;
    },
    /** Takes the messages of a queue out of it. */
    take: (queue: Sent['queue']): Item[] => {
      const taken = sent.filter((message) => message.queue === queue);
      sent.splice(0, sent.length, ...sent.filter((message) => message.queue !== queue));
      return taken.map(({ body }) => body);
    },
  };
};

/** Messages as Lambda hands them to a function, the `receipts`-th time. */
export const sqsEvent = (bodies: readonly unknown[], receipts = 1): SQSEvent => ({
  Records: bodies.map((body, index) => sqsRecord(`message-${index}`, body, receipts)),
});

const image = (item: Item) =>
  marshall(item, { removeUndefinedValues: true }) as Record<string, AttributeValue & StreamedValue>;

/** A write as the table's stream tells it. */
export const streamRecord = (before: Item | undefined, after: Item | undefined, sequence = 1): DynamoDBRecord => ({
  eventName: before ? (after ? 'MODIFY' : 'REMOVE') : 'INSERT',
  dynamodb: {
    SequenceNumber: String(sequence),
    ...(before && { OldImage: image(before) }),
    ...(after && { NewImage: image(after) }),
  },
});

const actionOf: Readonly<Record<string, string>> = {
  GetCommand: 'GetItem',
  BatchGetCommand: 'BatchGetItem',
  PutCommand: 'PutItem',
  UpdateCommand: 'UpdateItem',
  DeleteCommand: 'DeleteItem',
};
const actionOfPart: Readonly<Record<string, string>> = {
  Put: 'PutItem',
  Update: 'UpdateItem',
  Delete: 'DeleteItem',
  ConditionCheck: 'ConditionCheckItem',
};

/** Watches the calls to DynamoDB: their names, and the actions they need a grant for. */
export const watchTable = () => {
  const calls: string[] = [];
  const actions = new Set<string>();
  const spy = vi.spyOn(DynamoDBDocumentClient.prototype, 'send').mockImplementation(function (
    this: unknown,
    ...given: unknown[]
  ) {
    const [command] = given as [{ constructor: { name: string }; input: Record<string, unknown> }];
    const { name } = command.constructor;
    calls.push(name);
    const { IndexName: index } = command.input;
    if (name === 'QueryCommand') actions.add(index === undefined ? 'Query' : `index ${index}`);
    else if (name === 'TransactWriteCommand') {
      const parts = command.input['TransactItems'] as Record<string, unknown>[];
      for (const part of parts) for (const verb of Object.keys(part)) actions.add(actionOfPart[verb] ?? verb);
    } else actions.add(actionOf[name] ?? name);
    return Reflect.apply(original, this, given);
  });
  return {
    calls,
    actions,
    writes: () => calls.filter((name) => /^(Put|Update|Transact|Delete)/.test(name)),
    stop: () => spy.mockRestore(),
  };
};
const original = DynamoDBDocumentClient.prototype.send;

/** The grants of a declaration in the words of `watchTable`. */
export const grantedActions = ({ table = [], indexes = [] }: Grants): Set<string> =>
  new Set([...table, ...indexes.map((index) => `index ${index}`)]);
