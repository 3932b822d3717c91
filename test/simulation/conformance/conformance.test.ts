import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateTableCommand, DeleteTableCommand, DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { Answer } from '../world/dynamo.ts';
import { openMemory } from './answers.ts';
import { type Call, drawCalls, TableName } from './random-calls.ts';
import { findDifference, readRecordings, record, withTable, writeRecording } from './record.ts';

const recordings = readRecordings();

describe('the table in memory', () => {
  it('has answers to compare with', () => {
    expect(recordings.length).toBeGreaterThan(0);
    for (const { answers } of recordings) expect(answers.length).toBeGreaterThanOrEqual(100);
  });

  it.each(recordings)('gives the answers recorded from $source for seed $seed', (recording) => {
    expect(findDifference(recording)).toBeUndefined();
  });

  it('is reported with the call where it gives another answer', () => {
    const [recording] = recordings;
    if (!recording) throw new Error('There is no recording');
    const step = recording.answers.findIndex((one) => JSON.stringify(one).includes('"version":'));
    const answers = recording.answers.with(step, { Item: { version: 99 } });
    expect(findDifference({ ...recording, answers })).toMatchObject({
      step,
      call: drawCalls(recording.seed, step + 1)[step],
      recorded: { Item: { version: 99 } },
    });
  });
});

describe('recording', () => {
  const admin = mockClient(DynamoDBClient);
  const documents = mockClient(DynamoDBDocumentClient);
  const folder = mkdtempSync(join(tmpdir(), 'forewarn-recordings-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const table = 'forewarn-conformance-0a';
  /** An index that shows a write at the second question. */
  let stale = 0;
  let waits = 0;

  beforeEach(() => {
    [stale, waits] = [0, 0];
    admin.reset();
    admin.on(CreateTableCommand).resolves({}).on(DeleteTableCommand).resolves({});
    admin.on(DescribeTableCommand).callsFake(() => {
      if (admin.commandCalls(DeleteTableCommand).length === 0) return { Table: { TableStatus: 'ACTIVE' } };
      throw Object.assign(new Error('gone'), { name: 'ResourceNotFoundException' });
    });
    const memory = openMemory();
    documents.reset();
    documents.onAnyCommand().callsFake((input: Record<string, unknown>) => {
      if ('IndexName' in input && stale > 0) {
        stale -= 1;
        return { Items: [], Count: 99, ScannedCount: 99 };
      }
      const calls = documents.calls();
      const name = calls.at(-1)?.args[0].constructor.name as Call['name'];
      const answers: Answer[] = [];
      memory.perform(name, withTable({ name, input }, TableName, table).input, calls.length, (given) => {
        answers.push(given);
      });
      const [answer] = answers;
      if (!answer || 'error' in answer) throw answer?.error;
      return withTable({ name, input: answer.value as Call['input'] }, table).input;
    });
  });
  const means = {
    client: new DynamoDBClient(),
    source: 'aws' as const,
    wait: async () => {
      waits += 1;
    },
    today: '2026-11-27',
  };

  it('makes a table of its own, asks it the calls of the seed, and deletes it', async () => {
    const recording = await record(means, table, 3, 40);
    expect(recording).toMatchObject({ source: 'aws', seed: 3, recordedOn: '2026-11-27' });
    expect(recording.answers).toHaveLength(40);
    expect(admin.commandCalls(CreateTableCommand).map(({ args }) => args[0].input.TableName)).toEqual([table]);
    expect(admin.commandCalls(DeleteTableCommand).map(({ args }) => args[0].input.TableName)).toEqual([table]);
    expect(JSON.stringify(documents.calls().map(({ args }) => args[0].input))).not.toContain(TableName);
  });

  it('deletes the table if an index never settles', async () => {
    let answers = 0;
    documents.onAnyCommand().callsFake(() => {
      answers += 1;
      return { Items: [], Count: answers, ScannedCount: answers };
    });
    await expect(record(means, table, 3, 60)).rejects.toThrow('has not settled within 20 seconds');
    expect(admin.commandCalls(DeleteTableCommand)).toHaveLength(1);
  });

  it('waits until an index gives the same answer twice', async () => {
    stale = 1;
    const recording = await record(means, table, 3, 60);
    const queries = drawCalls(3, 60).filter(({ input }) => 'IndexName' in input).length;
    expect(waits).toBe(queries + 1);
    expect(findDifference(recording)).toBeUndefined();
  });

  it('reads back what it has written', async () => {
    const recording = await record(means, table, 3, 10);
    expect(writeRecording(recording, folder)).toBe(join(folder, 'aws-3.json'));
    expect(readRecordings(folder)).toEqual([recording]);
    writeFileSync(join(folder, 'aws-4.json'), '{"source":"somebody"}');
    expect(() => readRecordings(folder)).toThrow();
  });
});
