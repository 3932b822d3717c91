import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { findDifference, readRecordings, record, writeRecording } from './record.ts';

const usage = `npm run conformance                                   compares the table in memory with all recorded answers
npm run conformance -- --profile aws [--seeds 3] [--from 0] [--steps 120]
                                                      records answers of DynamoDB, in the account and region of the environment

Recording makes a table named forewarn-conformance-<random> for each seed, calls it, and deletes it. It costs less than a cent.`;

const { values } = parseArgs({
  options: {
    profile: { type: 'string' },
    seeds: { type: 'string', default: '3' },
    from: { type: 'string', default: '0' },
    steps: { type: 'string', default: '120' },
    help: { type: 'boolean', default: false },
  },
});

const print = (line: string): void => void process.stdout.write(`${line}\n`);

const count = (name: 'seeds' | 'from' | 'steps'): number => {
  const value = Number(values[name]);
  if (!Number.isSafeInteger(value) || value < 0) throw new Error(`--${name} must be a whole number\n${usage}`);
  return value;
};

const recordAll = async (source: 'aws' | 'emulator'): Promise<void> => {
  const client = new DynamoDBClient();
  const means = { client, source, wait: (time: number) => wait(time), today: new Date().toISOString().slice(0, 10) };
  for (let seed = count('from'); seed < count('from') + count('seeds'); seed += 1) {
    const table = `forewarn-conformance-${randomBytes(4).toString('hex')}`;
    print(`Written: ${writeRecording(await record(means, table, seed, count('steps')))}`);
  }
};

/** Returns the number of recordings that the table in memory contradicts. */
const compareAll = (): number => {
  const recordings = readRecordings();
  let differing = 0;
  for (const recording of recordings) {
    const difference = findDifference(recording);
    if (!difference) continue;
    differing += 1;
    const { step, call, recorded, memory } = difference;
    print(`✗ ${recording.source}, seed ${recording.seed}, step ${step}: ${call.name} ${JSON.stringify(call.input)}`);
    print(`    recorded  ${JSON.stringify(recorded)}\n    in memory ${JSON.stringify(memory)}`);
  }
  print(`${recordings.length - differing} of ${recordings.length} recordings agree`);
  return differing;
};

const main = async (): Promise<number> => {
  if (values.help) {
    print(usage);
    return 0;
  }
  if (values.profile !== undefined && values.profile !== 'aws' && values.profile !== 'emulator') {
    throw new Error(`There is no profile ${values.profile}\n${usage}`);
  }
  if (values.profile) await recordAll(values.profile);
  return compareAll() === 0 ? 0 : 1;
};

process.exitCode = await main();
