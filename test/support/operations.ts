import { AsyncLocalStorage } from 'node:async_hooks';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import {
  DynamoDBDocumentClient,
  PutCommand,
  type PutCommandInput,
  TransactWriteCommand,
  type TransactWriteCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, afterEach, beforeAll, expect, vi } from 'vitest';
import { placeAssets } from '#core/platform/http/asset-store.ts';
import { commonErrors, type ErrorCode, refusals } from '#core/platform/operation/errors.ts';
import { toNames } from '#core/platform/operation/key.ts';
import { type Operation, type Permission, permissions, type Role } from '#core/platform/operation/operation.ts';
import type { Worker } from '#core/platform/operation/worker.ts';
import { findFolder, handlerFile } from '#functions/declaration-files.ts';
import { type Answer, call, gatewayEvent } from './gateway-event.ts';
import { judgeCommand } from './judge.ts';
import { providerSecretIds } from './provider-secrets.ts';
import { useTable } from './table.ts';

/** The caller: an administrator, the user of a merchant, or a caller that the authorizer does not know. */
/** `sites`: the caller is a program with an API key that is limited to them; `may`: to these permissions. */
export type As =
  | 'admin'
  | {
      mid: number;
      role?: Role;
      freshUntil?: string;
      signedInAt?: string;
      sites?: readonly number[];
      may?: readonly Permission[];
    }
  | 'nobody';

/** Callers have just signed in unless a test says otherwise. */
const stillFresh = '2999-01-01T00:00:00.000Z';

const toAuthorizer = (as: As): Record<string, string> | null => {
  if (as === 'nobody') return null;
  return as === 'admin'
    ? { scope: 'admin', subject: 'root', freshUntil: stillFresh }
    : {
        scope: 'merchant',
        mid: String(as.mid),
        subject: `merchant-${as.mid}`,
        ...(as.role && { role: as.role }),
        freshUntil: as.freshUntil ?? stillFresh,
        ...(as.signedInAt && { signedInAt: as.signedInAt }),
        ...(as.sites && { permissions: permissions.join(' '), sites: as.sites.join(' ') }),
        ...(as.may && { permissions: as.may.join(' ') }),
      };
};

type Change = {
  as?: As;
  params?: Record<string, string | number>;
  query?: Record<string, string>;
  body?: unknown;
  /** Instead of `body`: exactly this is sent. */
  rawBody?: string;
  /** Instead of `body`: exactly these bytes are sent, in base64 as the gateway hands them over. */
  rawBytes?: Buffer;
  headers?: Record<string, string>;
  /** As the gateway gives one to each call; default: always the same. */
  requestId?: string;
};

const used = new Map<Operation, Set<string>>();
const refused = new Map<Operation, Set<string>>();
type Running = { declared: Operation | Worker; actions: Set<string> };
/** The function under way and the commands that it sends to the table, however many run in parallel. */
const sent = new AsyncLocalStorage<Running>();

/** Runs a worker's handler within its grants. */
export const runWorker = <T>(worker: Worker, run: () => Promise<T>): Promise<T> =>
  sent.run({ declared: worker, actions: new Set() }, run);

/** The operation with this name, `area/name`. Throws an Error if there is none. */
export const findOperation = async (key: string): Promise<Operation> => {
  const { area, name } = toNames(key);
  const exported: object = await import(pathToFileURL(join(findFolder({ area, name }), 'operation.ts')).href);
  const found = Object.values(exported).find(
    (one: Partial<Operation> | undefined) => one?.name === name && one.area === area,
  );
  return found ?? expect.fail(`There is no operation ${key}`);
};

/** Calls an operation's handler as the gateway does, and remembers what it did with the table and how it refused. `called`: it, or its `area/name`. */
export const ask = async (called: Operation | string, change: Change = {}): Promise<Answer> => {
  const operation = typeof called === 'string' ? await findOperation(called) : called;
  const { as = 'admin', params = {}, query, body, rawBody, rawBytes, headers = {}, requestId } = change;
  const { handler } = await import(pathToFileURL(handlerFile(operation)).href);
  placeAssets(operation.assets ?? {});
  const event = gatewayEvent({
    path: operation.path,
    method: operation.method,
    pathParameters: Object.fromEntries(Object.entries(params).map(([name, value]) => [name, String(value)])),
    ...(query && { query }),
    ...(rawBody !== undefined && { body: rawBody }),
    ...(rawBytes !== undefined && { body: rawBytes.toString('base64'), isBase64Encoded: true }),
    ...(body !== undefined && {
      body: body instanceof URLSearchParams ? body.toString() : JSON.stringify(body),
    }),
    headers: {
      'content-type': body instanceof URLSearchParams ? 'application/x-www-form-urlencoded' : 'application/json',
      ...headers,
    },
    authorizer: toAuthorizer(as),
    ...(requestId && { requestId }),
  });
  const actions = used.get(operation) ?? new Set<string>();
  used.set(operation, actions);
  const answer = await sent.run({ declared: operation, actions }, () => call(handler, event));
  remember(operation, answer);
  return answer;
};

let meanwhile: ((transaction: TransactWriteCommandInput) => Promise<unknown>) | undefined;

/** Sets the work of another process just before each transaction; without an argument, there is none. */
export const beforeTransactions = (work?: typeof meanwhile): void => {
  meanwhile = work;
};

let beforePut: ((put: PutCommandInput) => Promise<unknown>) | undefined;

/** The same before each single row that is put. */
export const beforePuts = (work?: typeof beforePut): void => {
  beforePut = work;
};

const remember = (operation: Operation, { status, body }: Answer): void => {
  // An answer that the provider's shape wants under such a status is no refusal.
  if (status < 400 || operation.otherReplies?.[status]) return;
  const { msg, error_msg, error_code } = body as {
    msg?: string;
    error_msg?: { msg: string };
    error_code?: string;
  };
  // A page for people says it in its heading.
  const words = msg ?? error_msg?.msg ?? /<h1[^>]*>([^<]*)<\/h1>/.exec(String(body))?.[1];
  const code = error_code ?? Object.entries(refusals).find(([, { msg: said }]) => said === words)?.[0] ?? `${status}`;
  refused.set(operation, (refused.get(operation) ?? new Set()).add(code));
};

type Command = { constructor: { name: string }; input: object };

const listActions = ({ constructor: { name }, input }: Command): string[] => {
  const verb = name.replace('Command', '');
  if ('TransactItems' in input && Array.isArray(input.TransactItems)) {
    return input.TransactItems.flatMap((part: object) => Object.keys(part)).map((part) =>
      part === 'ConditionCheck' ? 'ConditionCheckItem' : `${part}Item`,
    );
  }
  if (verb === 'Query') return ['IndexName' in input ? `Query ${input.IndexName}` : 'Query'];
  return [`${verb}Item`];
};

/** Where operations find secrets, and with which alerts schedule their deadlines. */
const environment = {
  ...{ JWT_SECRET_ID: 'jwt', ENCRYPTION_SECRET_ID: 'encryption', PROCESSOR_APPS_SECRET_ID: 'processor-apps' },
  ...providerSecretIds,
  DEADLINE_QUEUE_ARN: 'arn:aws:sqs:eu-west-1:000000000000:deadline',
  SCHEDULE_ROLE_ARN: 'arn:aws:iam::000000000000:role/scheduler',
  SCHEDULE_GROUP_NAME: 'alerts',
};

/** Gives a test file a table and the environment, and lets `ask` see what is sent to the table; to be called at its top level. */
export const useOperations = (useItsTable = useTable): void => {
  useItsTable();
  beforeAll(() => {
    Object.assign(process.env, environment);
    mockClient(SecretsManagerClient)
      .on(GetSecretValueCommand)
      .callsFake(({ SecretId }: { SecretId: string }) => ({
        SecretString: JSON.stringify({ current: 'k1', k1: `the ${SecretId} secret of this test` }),
      }));
    const send = DynamoDBDocumentClient.prototype.send;
    vi.spyOn(DynamoDBDocumentClient.prototype, 'send').mockImplementation(async function (
      this: DynamoDBDocumentClient,
      ...parameters: unknown[]
    ) {
      const command = parameters[0] as Command;
      const running = sent.getStore();
      for (const action of listActions(command)) running?.actions.add(action);
      const denied = running && judgeCommand(running.declared, 'dynamo', command.constructor.name, command.input);
      if (denied) throw denied;
      if (command instanceof TransactWriteCommand) await sent.exit(async () => meanwhile?.(command.input));
      if (command instanceof PutCommand) await sent.exit(async () => beforePut?.(command.input));
      return Reflect.apply(send, this, parameters);
    });
    vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  });
  afterEach(() => {
    beforeTransactions();
    beforePuts();
  });
  afterAll(() => void vi.restoreAllMocks());
};

/** The refusals that no call through the gateway causes for certain: another call must come in between. */
const racedOnly: readonly string[] = ['changed_meanwhile'];

/**
 * Holds an operation's declaration against what the calls of this file did: every action, no more and no less, and no refusal
 * that it does not declare. That each refusal is brought about, its bad calls through the gateway show (`test/flows/bad-*.ts`);
 * only races are for here.
 */
export const expectDeclared = (declared: Operation | string): void => {
  const name = typeof declared === 'string' ? declared : `${declared.area}/${declared.name}`;
  const operation = [...used.keys()].find((one) => `${one.area}/${one.name}` === name);
  if (!operation) throw new Error(`No test of this file calls ${name}`);
  const { table = [], indexes = [] } = operation.grants;
  const actions = [...table, ...indexes.map((index) => `Query ${index}`)];
  expect([...(used.get(operation) ?? [])].sort(), `grants of ${name}: used, and declared`).toEqual(actions.sort());
  const common: readonly string[] = commonErrors;
  const answered = [...(refused.get(operation) ?? [])].filter((code) => !common.includes(code));
  const undeclared = answered.filter((code) => !operation.errors.includes(code as ErrorCode));
  expect(undeclared, `refusals that ${name} does not declare`).toEqual([]);
  const missing = operation.errors.filter((code) => racedOnly.includes(code) && !answered.includes(code));
  expect(missing, `refusals of ${name} that no call of this file has brought about`).toEqual([]);
};
