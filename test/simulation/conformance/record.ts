import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import {
  CreateTableCommand,
  DeleteTableCommand,
  type DynamoDBClient,
  waitUntilTableExists,
  waitUntilTableNotExists,
} from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { testTable } from '#test/support/test-table.ts';
import { askMemory, openMemory } from './answers.ts';
import { askClient } from './client.ts';
import { type Call, drawCalls, TableName } from './random-calls.ts';

/** Records what DynamoDB answers to the random calls of a seed, and compares the table in memory with what was recorded. */

const Recording = v.object({
  /** `aws`: a real account; `emulator`: shows the form until there are answers of an account. */
  source: v.picklist(['aws', 'emulator']),
  recordedOn: v.string(),
  seed: v.number(),
  answers: v.array(v.unknown()),
});
export type Recording = v.InferOutput<typeof Recording>;
export type Source = Recording['source'];

export const recordingsFolder = join(import.meta.dirname, 'recorded');
const recordFile = (source: Source, seed: number): string => `${source}-${seed}.json`;

/** As it is read back from a file. */
const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null));

/** The same call of a table with another name. `before`: the name that it has in the call. */
export const withTable = ({ name, input }: Call, table: string, before: string = TableName): Call => {
  const renamed = (value: unknown): unknown => {
    if (value === before) return table;
    if (Array.isArray(value)) return value.map(renamed);
    if (typeof value !== 'object' || value === null || value instanceof Set) return value;
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key === before ? table : key, renamed(one)]));
  };
  return { name, input: renamed(input) as Record<string, unknown> };
};

type Means = { client: DynamoDBClient; source: Source; wait: (milliseconds: number) => Promise<void>; today: string };

const pauseMilliseconds = 1000;
const maxPauses = 20;

/** An index of DynamoDB lags: its answer counts once it has come twice in a row. */
const askSettled = async (ask: () => Promise<unknown>, { wait }: Means): Promise<unknown> => {
  let before = await ask();
  for (let pause = 0; pause < maxPauses; pause += 1) {
    await wait(pauseMilliseconds);
    const answer = await ask();
    if (isDeepStrictEqual(answer, before)) return answer;
    before = answer;
  }
  throw new Error(`An index has not settled within ${(maxPauses * pauseMilliseconds) / 1000} seconds`);
};

/** Asks a table that is made for this, and deleted afterwards. `table`: its name, which no other table of the account may have. */
export const record = async (means: Means, table: string, seed: number, steps: number): Promise<Recording> => {
  const { client, source, today } = means;
  await client.send(new CreateTableCommand({ ...testTable, TableName: table }));
  try {
    await waitUntilTableExists({ client, maxWaitTime: 300 }, { TableName: table });
    const documents = DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } });
    const answers: unknown[] = [];
    for (const call of drawCalls(seed, steps)) {
      const ask = () => askClient(documents, withTable(call, table), table);
      const isLagging = source === 'aws' && 'IndexName' in call.input;
      answers.push(asJson(isLagging ? await askSettled(ask, means) : await ask()));
    }
    return { source, recordedOn: today, seed, answers };
  } finally {
    await client.send(new DeleteTableCommand({ TableName: table }));
    await waitUntilTableNotExists({ client, maxWaitTime: 300 }, { TableName: table });
  }
};

export const writeRecording = (recording: Recording, folder = recordingsFolder): string => {
  const { answers, ...rest } = recording;
  const head = JSON.stringify(rest).slice(0, -1);
  const file = join(folder, recordFile(recording.source, recording.seed));
  // A line for each answer.
  writeFileSync(file, `${head},"answers":[\n${answers.map((one) => JSON.stringify(one)).join(',\n')}\n]}\n`);
  return file;
};

export const readRecordings = (folder = recordingsFolder): Recording[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => v.parse(Recording, JSON.parse(readFileSync(join(folder, name), 'utf8'))));

export type Difference = { step: number; call: Call; recorded: unknown; memory: unknown };

/** Where the table in memory answers otherwise than was recorded; the first only, as those after it follow from that. */
export const findDifference = ({ seed, answers }: Recording): Difference | undefined => {
  const table = openMemory();
  for (const [step, call] of drawCalls(seed, answers.length).entries()) {
    const memory = asJson(askMemory(table, call, step));
    if (!isDeepStrictEqual(memory, answers[step])) return { step, call, recorded: answers[step], memory };
  }
  return undefined;
};
