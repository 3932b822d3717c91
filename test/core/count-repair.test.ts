import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkCounts, rebuildCounts } from '../../functions/core/count-repair-store.ts';
import { countItems } from '../../functions/core/counter-store.ts';
import { keys } from '../../functions/core/keys.ts';
import { leafOf, listedOf, listKeys, listOf, listPosition } from '../../functions/core/listing.ts';
import { type PageRequest, readPage } from '../../functions/core/listing-store.ts';
import { type Item, putItem, updateItem } from '../../functions/core/table.ts';
import { writeEndpoints } from '../../lib/local/endpoints.ts';
import { useTable } from '../support/table.ts';

useTable();

const start = Date.parse('2026-05-01T23:00:00.000Z');
let entities = 0;
const fresh = () => {
  entities += 1;
  return `REPAIR${entities}`;
};
const itemOf = (entity: string, n: number, leaf = 'OPEN', mid = 1): Item => ({
  pk: `${entity}#${mid}#${n}`,
  sk: entity,
  entity,
  ...listKeys(
    entity,
    ['all', `M${mid}`, `R${mid}${n % 2}`],
    leafOf(leaf, 'X'),
    listPosition(new Date(start + n * 900_000).toISOString(), n),
  ),
  summary: { n },
});
let sequence = 0;
const count = (...items: Item[]) => {
  sequence += 1;
  return countItems(
    items.map((item) => ({
      itemPk: String(item['pk']),
      listed: listedOf(item),
      sequence: String(sequence).padStart(40, '0'),
    })),
  );
};
const stored = async (entity: string, many: number, mid = 1) => {
  const items = Array.from({ length: many }, (_, n) => itemOf(entity, n, n % 3 === 0 ? 'DONE' : 'OPEN', mid));
  for (const item of items) await putItem(item);
  await count(...items);
  return items;
};
const spoil = (list: string, bucket: string, attribute: string, by: number) =>
  updateItem({
    Key: keys.count(list, bucket),
    UpdateExpression: 'ADD #attribute :by',
    ExpressionAttributeNames: { '#attribute': attribute },
    ExpressionAttributeValues: { ':by': by },
  });
const noPause = async () => undefined;

describe('the check of counts', () => {
  it('finds nothing where the counter has counted every item', async () => {
    const entity = fresh();
    await stored(entity, 12);
    expect(await checkCounts(entity, 1)).toEqual([]);
    expect(await checkCounts(fresh(), 1)).toEqual([]);
  });

  it('finds what was counted too often, too seldom, or in vain', async () => {
    const entity = fresh();
    await stored(entity, 6);
    const list = listOf(entity, 'M1');
    await spoil(list, 'ALL', '2026-05|OPEN|X', 3);
    await spoil(list, 'DAY#2026-04-01', '10|OPEN|X', 1);
    const uncounted = itemOf(entity, 6);
    await putItem(uncounted);
    const found = await checkCounts(entity, 1);
    expect(found).toContainEqual({
      key: keys.count(list, 'DAY#2026-04-01'),
      attribute: '10|OPEN|X',
      counted: 1,
      found: 0,
    });
    expect(found).toContainEqual({ key: keys.count(list, 'ALL'), attribute: '2026-05|OPEN|X', counted: 7, found: 5 });
    expect(found.map(({ key }) => key.pk)).toContain(keys.count(listOf(entity, 'R10'), '').pk);
  });
});

describe('the rebuild of counts', () => {
  it('sets right whatever is wrong, of this merchant and nobody else', async () => {
    const wrong = fc.array(
      fc.record({
        scope: fc.constantFrom('M1', 'R10', 'R11'),
        bucket: fc.constantFrom('ALL', 'MONTH#2026-05', 'DAY#2026-05-02', 'HOUR#2026-05-02T01'),
        leaf: fc.constantFrom('OPEN|X', 'DONE|X', 'GONE|X'),
        part: fc.constantFrom('2026-05', '01', '02', '15'),
        by: fc.integer({ min: -5, max: 5 }),
      }),
      { maxLength: 6 },
    );
    await fc.assert(
      fc.asyncProperty(wrong, async (changes) => {
        const entity = fresh();
        await stored(entity, 9);
        await stored(entity, 2, 2);
        for (const { scope, bucket, leaf, part, by } of changes) {
          await spoil(listOf(entity, scope), bucket, `${part}|${leaf}`, by);
        }
        await rebuildCounts(entity, 1, noPause);
        expect(await checkCounts(entity, 1)).toEqual([]);
        expect(await checkCounts(entity, 2)).toEqual([]);
      }),
      { numRuns: 8 },
    );
  });

  it('counts items that were never counted, once: their record may still come', async () => {
    const entity = fresh();
    const item = itemOf(entity, 1);
    await putItem(item);
    expect((await rebuildCounts(entity, 1, noPause)).corrected).toBeGreaterThan(0);
    await count(item);
    expect(await checkCounts(entity, 1)).toEqual([]);
    const changed = itemOf(entity, 1, 'DONE');
    await putItem(changed);
    await count(changed);
    expect(await checkCounts(entity, 1)).toEqual([]);
  });

  it('leaves alone what changes while it looks, for it may be work under way', async () => {
    const entity = fresh();
    const item = itemOf(entity, 1);
    await putItem(item);
    const { corrected } = await rebuildCounts(entity, 1, () => count(item));
    expect(corrected).toBe(0);
    expect(await checkCounts(entity, 1)).toEqual([]);
  });

  it.each(['OPEN', 'DONE'])('leaves to the stream what is written meanwhile, if it is %s', async (status) => {
    const entity = fresh();
    await stored(entity, 2);
    const item = itemOf(entity, status === 'OPEN' ? 2 : 1, status);
    await rebuildCounts(entity, 1, () => putItem(item));
    await count(item);
    expect(await checkCounts(entity, 1)).toEqual([]);
  });

  it('gives pages their totals and offsets back', async () => {
    const entity = fresh();
    await stored(entity, 30);
    const list = listOf(entity, 'M1');
    await spoil(list, 'ALL', '2026-05|OPEN|X', 100);
    await spoil(list, 'DAY#2026-05-02', '01|OPEN|X', -4);
    await rebuildCounts(entity, 1, noPause);
    const request: PageRequest = { entity, slot: 2, scope: 'M1', order: 'ASC', size: 5, offset: 20 };
    const { list: page, totalResult } = await readPage<{ n: number }>(request);
    expect([totalResult, page.map(({ n }) => n)]).toEqual([30, [20, 21, 22, 23, 24]]);
  });
});

describe('npm run counters', () => {
  const folder = mkdtempSync(join(tmpdir(), 'forewarn-counters-'));
  beforeAll(() =>
    writeEndpoints(folder, {
      pid: process.pid,
      url: 'http://127.0.0.1:3000',
      clockOffsetMilliseconds: 0,
      environment: {
        AWS_REGION: 'eu-west-1',
        AWS_ACCESS_KEY_ID: 'test',
        AWS_SECRET_ACCESS_KEY: 'test',
        TABLE_NAME: process.env['TABLE_NAME'] ?? '',
        AWS_ENDPOINT_URL_DYNAMODB: process.env['AWS_ENDPOINT_URL_DYNAMODB'] ?? '',
      },
    }),
  );
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const counters = async (...args: string[]) => {
    const child = spawn(process.execPath, ['bin/counters.ts', ...args], {
      env: { PATH: process.env['PATH'], DATA_DIR: folder, NO_COLOR: '1' },
    });
    const [out, err, status] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      new Promise<number | null>((resolve) => child.once('close', resolve)),
    ]);
    return { out, err, status };
  };

  it('says what differs, sets it right, and then finds nothing', { timeout: 30_000 }, async () => {
    await stored('SITE', 4, 77);
    await spoil(listOf('SITE', 'M77'), 'ALL', '2026-05|OPEN|X', 2);
    const found = await counters('check', '--mid', '77');
    expect(found).toMatchObject({
      status: 1,
      out: expect.stringContaining('COUNT#SITE#M77 ALL 2026-05|OPEN|X: counted '),
    });
    expect(await counters('rebuild', '--mid', '77')).toMatchObject({
      status: 0,
      err: '',
      out: expect.stringContaining('1 counts were set right.'),
    });
    expect(await counters('check', '--mid', '77')).toMatchObject({ status: 0, out: 'All counts agree.\n' });
  });

  it.each([
    [['check'], 'Say whose lists: --mid <N>.'],
    [['mend', '--mid', '1'], 'The commands are check and rebuild'],
  ])('refuses %j', async (args, words) =>
    expect(await counters(...args)).toMatchObject({ status: 1, err: expect.stringContaining(words) }),
  );
});
