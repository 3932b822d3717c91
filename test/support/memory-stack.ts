import { createRequire } from 'node:module';
import { isFields } from '#core/kernel/is-object.ts';
import type { Judge } from '#lib/local/aws/access.ts';
import { type AwsCall, AwsError, type AwsService, type AwsServices } from '#lib/local/aws/aws-server.ts';
import type { Shortcut } from '#lib/local/aws/shortcut.ts';
import { tableActions } from './judge.ts';
import { makeTables, StackTable } from './stack-table.ts';

type Fields = Record<string, unknown>;
type Command = { constructor: { name: string }; input: Fields };
type Handler = (command: Command) => Promise<{ output: unknown }>;
type Package = Readonly<Record<string, unknown>>;

/** Taken before a test puts a fake one there. */
const { setImmediate } = globalThis;

/** Programs that are started find nothing there, and say where. */
const tableUrl = 'http://the-table-of-this-stack-is-in-memory.invalid';

// The packages as the functions find them: test files may have others in their place.
const require = createRequire(import.meta.url);

/**
 * Has a stack keep its tables in memory, and answers the calls that its functions make at AWS where the SDK would begin to write
 * them: below `send`, a turn of the event loop later and in their order, as over a network. Grants are judged as on the wire; queues,
 * schedules, secrets and mails are the stack's own.
 */
export const createShortcut = (): Shortcut => {
  let tables: readonly StackTable[] = [];
  return {
    tableUrl,
    openTables: (dataFolder, clock, definitions) => {
      tables = definitions.map((definition) => new StackTable(definition, dataFolder, clock));
      return makeTables(tables, tableUrl);
    },
    enter: (judge, services) => {
      const undo = [
        answerWith('@aws-sdk/lib-dynamodb', () => tableHandler(tables, judge)),
        answerWith('@aws-sdk/client-sqs', targetHandler('AmazonSQS', services, judge)),
        answerWith('@aws-sdk/client-secrets-manager', targetHandler('secretsmanager', services, judge)),
        answerWith('@aws-sdk/client-scheduler', pathHandler(scheduleCall, services, judge)),
        answerWith('@aws-sdk/client-sesv2', pathHandler(mailCall, services, judge)),
        cheapenPasswords(),
      ];
      return () => {
        for (const one of undo) one();
      };
    },
  };
};

/**
 * A hash of a password takes 100 ms, each comparison too. What functions find in `node:crypto` from now on takes next to nothing, whatever
 * cost they ask for and note; so hashes that were made so are of no use elsewhere.
 */
const cheapenPasswords = (): (() => void) => {
  const crypto: typeof import('node:crypto') = require('node:crypto');
  const { scrypt } = crypto;
  const cheap = (...[password, salt, bytes, options, done]: Parameters<typeof scrypt>) =>
    scrypt(password, salt, bytes, { ...options, N: 16, p: 1 }, done);
  Object.assign(crypto, { scrypt: cheap });
  return () => void Object.assign(crypto, { scrypt });
};

/** Has a handler answer every command of a package. The returned function takes it away again. */
const answerWith = (name: string, handlerOf: (module: Package) => Handler): (() => void) => {
  const module: Package = require(name);
  const handler = handlerOf(module);
  const prototypes = Object.entries(module).flatMap(([key, one]) =>
    key.endsWith('Command') && typeof one === 'function' && isFields(one.prototype) ? [one.prototype] : [],
  );
  const before = prototypes.map((one) => [one, Object.getOwnPropertyDescriptor(one, 'resolveMiddleware')] as const);
  for (const one of prototypes) {
    Object.defineProperty(one, 'resolveMiddleware', { value: () => handler, configurable: true, writable: true });
  }
  return () => {
    for (const [one, descriptor] of before) {
      if (descriptor) Object.defineProperty(one, 'resolveMiddleware', descriptor);
      else Reflect.deleteProperty(one, 'resolveMiddleware');
    }
  };
};

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const tableHandler =
  (tables: readonly StackTable[], judge: Judge): Handler =>
  async ({ constructor: { name }, input }) => {
    allow(judge(`DynamoDB_20120810.${tableActions[name]}`, '/', () => input));
    const [table] = tables;
    if (!table) throw new Error('The stack has no table');
    await nextTurn();
    return new Promise((resolve, reject) => {
      table.perform(name, input, (given) =>
        'error' in given ? reject(given.error) : resolve({ output: given.value }),
      );
    });
  };

/** A service that is addressed by the target header. */
const targetHandler =
  (prefix: string, { targets }: AwsServices, judge: Judge) =>
  (module: Package): Handler =>
  async ({ constructor: { name }, input }) => {
    const action = name.replace(/Command$/, '');
    allow(judge(`${prefix}.${action}`, '/', () => input));
    const call = { method: 'POST', path: [], query: new URLSearchParams(), action, body: input };
    return answerCall(targets[prefix], call, module);
  };

type PathCall = Pick<AwsCall, 'method' | 'path'> & { query?: Readonly<Record<string, string>> };

/** A service that is addressed by method and path. */
const pathHandler =
  (callOf: (name: string, input: Fields) => PathCall, { paths }: AwsServices, judge: Judge) =>
  (module: Package): Handler =>
  async ({ constructor: { name }, input }) => {
    const { method, path, query = {} } = callOf(name, input);
    allow(judge('', `/${path.join('/')}`, () => input));
    const service = paths[path[0] ?? ''];
    const call = { method, path, query: new URLSearchParams(query), action: '', body: overWire(input) };
    return answerCall(service, call, module);
  };

/** Bytes go over the wire in base 64. */
const overWire = (input: unknown): unknown =>
  JSON.parse(
    JSON.stringify(input, (_, value) =>
      value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value,
    ) ?? 'null',
  );

const scheduleMethods: Readonly<Record<string, string>> = {
  CreateScheduleCommand: 'POST',
  DeleteScheduleCommand: 'DELETE',
  GetScheduleCommand: 'GET',
  UpdateScheduleCommand: 'PUT',
};

const scheduleCall = (name: string, { Name, GroupName }: Fields): PathCall => ({
  method: scheduleMethods[name] ?? name,
  path: ['schedules', String(Name)],
  query: { groupName: String(GroupName) },
});

const mailCall = (name: string, { EmailAddress }: Fields): PathCall =>
  name === 'GetSuppressedDestinationCommand'
    ? { method: 'GET', path: ['v2', 'email', 'suppression', 'addresses', String(EmailAddress)] }
    : { method: name === 'SendEmailCommand' ? 'POST' : name, path: ['v2', 'email', 'outbound-emails'] };

const allow = (refusal: Error | undefined): void => {
  if (refusal) throw refusal;
};

const answerCall = async (
  service: AwsService | undefined,
  call: AwsCall,
  module: Package,
): Promise<{ output: unknown }> => {
  await nextTurn();
  if (!service) throw new Error('The stack has no such service');
  try {
    return { output: withDates((await service(call)) ?? {}) };
  } catch (error) {
    throw error instanceof AwsError ? asSdk(error, module) : error;
  }
};

/** Times come over the wire as seconds. */
const withDates = (output: unknown): unknown =>
  isFields(output)
    ? Object.fromEntries(
        Object.entries(output).map(([name, value]) => [
          name,
          typeof value === 'number' && /^(CreatedDate|LastUpdateTime)$/.test(name)
            ? new Date(value * 1000)
            : name === 'SuppressedDestination'
              ? withDates(value)
              : value,
        ]),
      )
    : output;

type ServiceError = new (options: { name: string; message: string; $fault: 'client'; $metadata: object }) => Error;
const isServiceError = (value: unknown): value is ServiceError => typeof value === 'function';

/** A refusal as an object of the class that the SDK has for it, or of the one for all of the service. */
const asSdk = ({ code, message }: AwsError, module: Package): Error => {
  const [, usual] = Object.entries(module).find(([name]) => name.endsWith('ServiceException')) ?? [];
  const known = module[code] ?? usual;
  if (!isServiceError(known)) throw new Error(`The SDK has no error for ${code}`);
  return new known({ name: code, message, $fault: 'client', $metadata: {} });
};
