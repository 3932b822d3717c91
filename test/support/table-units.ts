import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import * as v from 'valibot';

/** What one call of DynamoDB took, as DynamoDB says: in all, and how much of that went into indexes. Or the messages of a call of SQS. */
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
const kindOf = ({ pk, sk }: v.InferOutput<typeof Key>): string =>
  [pk.S, sk.S].map((part) => part.split('#')[0] ?? '').join('/');

const keysIn = ({ Item, Key: key, TransactItems = [] }: v.InferOutput<typeof Sent>): string[] =>
  [{ Item, Key: key }, ...TransactItems.flatMap(Object.values<v.InferOutput<typeof Write>>)].flatMap((write) => {
    const found = write.Item ?? write.Key;
    return found ? [kindOf(found)] : [];
  });

const unitsOf = (operation: string, keys: readonly string[], messages: number, answer: string): Units => {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), Answer), answer);
  const all = parsed.success ? [parsed.output.ConsumedCapacity ?? []].flat() : [];
  const units = all.reduce((sum, one) => sum + one.CapacityUnits, 0);
  const ofTable = all.reduce((sum, one) => sum + (one.Table?.CapacityUnits ?? one.CapacityUnits), 0);
  return { operation, keys, units, indexUnits: units - ofTable, messages };
};

/**
 * Counts the messages of each call of SQS, and has every call of DynamoDB that this process makes say what it took, the functions' included, which share its `http`. The
 * functions themselves never ask. The second function takes that back.
 */
export const watchUnits = (): { taken: Units[]; stop: () => void } => {
  const http: typeof import('node:http') = createRequire(import.meta.url)('node:http');
  const original = http.request;
  const taken: Units[] = [];
  const watched = (options: RequestOptions, onResponse?: (response: IncomingMessage) => void): ClientRequest => {
    const request: ClientRequest = Reflect.apply(original, http, [options, onResponse]);
    const [, operation] =
      /^(?:DynamoDB_\d+|AmazonSQS)\.(\w+)$/.exec(String(request.getHeader('x-amz-target') ?? '')) ?? [];
    if (operation === undefined) return request;
    const end = request.end;
    let keys: string[] = [];
    let messages = 0;
    request.end = (...given: unknown[]) => {
      const sent = v.safeParse(v.pipe(v.string(), v.parseJson(), Sent), String(given[0] ?? ''));
      if (!sent.success) return Reflect.apply(end, request, given);
      keys = keysIn(sent.output);
      messages = sent.output.Entries.length;
      if (messages > 0) return Reflect.apply(end, request, given);
      const body = JSON.stringify({
        ...sent.output,
        ...JSON.parse(String(given[0])),
        ReturnConsumedCapacity: 'INDEXES',
      });
      request.setHeader('content-length', Buffer.byteLength(body));
      return Reflect.apply(end, request, [body]);
    };
    request.on('response', (response) => {
      const emit = response.emit;
      const chunks: Buffer[] = [];
      // Listened to without a listener: one would make the answer flow before the SDK reads it.
      response.emit = (name: string, ...given: unknown[]) => {
        if (name === 'data') chunks.push(Buffer.from(given[0] as Uint8Array));
        if (name === 'end') taken.push(unitsOf(operation, keys, messages, Buffer.concat(chunks).toString()));
        return Reflect.apply(emit, response, [name, ...given]);
      };
    });
    return request;
  };
  Object.assign(http, { request: watched });
  syncBuiltinESMExports();
  return {
    taken,
    stop: () => {
      Object.assign(http, { request: original });
      syncBuiltinESMExports();
    },
  };
};
