import { ClientRequest, type IncomingMessage } from 'node:http';
import * as v from 'valibot';

/**
 * The cost of one call of DynamoDB, as DynamoDB reports it: in all, and how much of that went into indexes. Or the messages of a
 * call of SQS.
 */
export type Units = {
  operation: string;
  keys: readonly string[];
  units: number;
  indexUnits: number;
  messages: number;
};

const Capacity = v.object({
  CapacityUnits: v.number(),
  Table: v.optional(v.object({ CapacityUnits: v.number() })),
});
const Answer = v.object({ ConsumedCapacity: v.optional(v.union([Capacity, v.array(Capacity)])) });
const Key = v.object({ pk: v.object({ S: v.string() }), sk: v.object({ S: v.string() }) });
const Write = v.object({ Item: v.optional(Key), Key: v.optional(Key) });
const Sent = v.looseObject({
  ...Write.entries,
  Entries: v.optional(v.array(v.unknown()), []),
  TransactItems: v.optional(v.array(v.record(v.string(), Write))),
});

/** `ALERT#17…/HISTORY#v1` as `ALERT/HISTORY`: which kind of row it is. */
const keyKind = ({ pk, sk }: v.InferOutput<typeof Key>): string =>
  [pk.S, sk.S].map((part) => part.split('#')[0] ?? '').join('/');

const keysIn = ({ Item, Key: key, TransactItems = [] }: v.InferOutput<typeof Sent>): string[] =>
  [{ Item, Key: key }, ...TransactItems.flatMap(Object.values<v.InferOutput<typeof Write>>)].flatMap((write) => {
    const found = write.Item ?? write.Key;
    return found ? [keyKind(found)] : [];
  });

const countUnits = (operation: string, keys: readonly string[], messages: number, answer: string): Units => {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), Answer), answer);
  const all = parsed.success ? [parsed.output.ConsumedCapacity ?? []].flat() : [];
  const units = all.reduce((sum, one) => sum + one.CapacityUnits, 0);
  const ofTable = all.reduce((sum, one) => sum + (one.Table?.CapacityUnits ?? one.CapacityUnits), 0);
  return { operation, keys, units, indexUnits: units - ofTable, messages };
};

type Told = { operation: string; keys: readonly string[]; messages: number };

/** Counts what an answer says when it has come, listened to without a listener: one would make it flow before the SDK reads it. */
const listen = (response: IncomingMessage, { operation, keys, messages }: Told, taken: Units[]): void => {
  const emit = response.emit;
  const chunks: Buffer[] = [];
  response.emit = (name: string, ...given: unknown[]) => {
    if (name === 'data') chunks.push(Buffer.from(given[0] as Uint8Array));
    if (name === 'end') taken.push(countUnits(operation, keys, messages, Buffer.concat(chunks).toString()));
    return Reflect.apply(emit, response, [name, ...given]);
  };
};

/**
 * Counts the messages of each call of SQS, and has every call of DynamoDB that this process makes say what it took, the functions'
 * included. The functions themselves never ask. The second function takes that back.
 */
export const watchUnits = (): { taken: Units[]; stop: () => void } => {
  const { prototype } = ClientRequest;
  const original = prototype.end;
  const taken: Units[] = [];
  const watch = function (this: ClientRequest, ...given: unknown[]): ClientRequest {
    const target = String(this.getHeader('x-amz-target') ?? '');
    const [, operation] = /^(?:DynamoDB_\d+|AmazonSQS)\.(\w+)$/.exec(target) ?? [];
    if (operation === undefined) return Reflect.apply(original, this, given);
    const sent = v.safeParse(v.pipe(v.string(), v.parseJson(), Sent), String(given[0] ?? ''));
    const messages = sent.success ? sent.output.Entries.length : 0;
    const keys = sent.success ? keysIn(sent.output) : [];
    this.on('response', (response) => listen(response, { operation, keys, messages }, taken));
    if (!sent.success || messages > 0) return Reflect.apply(original, this, given);
    const body = JSON.stringify({ ...sent.output, ...JSON.parse(String(given[0])), ReturnConsumedCapacity: 'INDEXES' });
    this.setHeader('content-length', Buffer.byteLength(body));
    return Reflect.apply(original, this, [body]);
  };
  prototype.end = watch;
  return {
    taken,
    stop: () => {
      if (prototype.end === watch) prototype.end = original;
    },
  };
};
