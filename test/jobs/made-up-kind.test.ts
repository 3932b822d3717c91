import { beforeEach, describe, expect, it, vi } from 'vitest';
import { defineWorker } from '#core/platform/operation/worker.ts';
import { putItem } from '#core/platform/table/table.ts';
import { workers } from '#functions/workers.ts';
import { dueMessage } from '#jobs/due-routing.ts';
import { handler as route } from '#jobs/router/handler.ts';
import { routerWorker } from '#jobs/router/worker.ts';
import { handler as sweepSlot } from '#jobs/sweep/handler.ts';
import { sweepWorker } from '#jobs/sweep/worker.ts';
import { synthesize } from '#test/cloud/synthesized.ts';
import { clockAt, fakeQueues, sqsEvent, streamRecord } from '#test/messaging/support.ts';
import { useTable } from '#test/support/table.ts';

// A kind of due work that only this test declares: it is registered, and nothing else is done for it.
vi.mock(import('#jobs/registered-dues.ts'), async (original) => {
  const { defineDue, whenDue } = await import('#core/platform/work/due.ts');
  const v = await import('valibot');
  const { dues } = await original();
  const bodyOf = ({ id }: { readonly id?: unknown }) => ({ madeUpId: Number(id) });
  const madeUp = defineDue({
    kind: 'MADE_UP',
    queue: 'made-up',
    message: v.object({ madeUpId: v.number() }),
    swept: bodyOf,
    wakes: { MADE_UP: whenDue(bodyOf) },
  });
  return { dues: [...dues, madeUp] };
});

useTable();
const queues = fakeQueues({ 'made-up': 'https://sqs/made-up' });
const at = '2026-05-02T11:00:00.000Z';
const row = { pk: 'MADE_UP#7', sk: 'MADE_UP', entity: 'MADE_UP', id: 7, duePk: 'DUE#7', dueSk: `${at}#MADE_UP#7` };
const slot = '2026-05-02T12:00:00.000Z';

beforeEach(() => {
  clockAt(slot);
  queues.sent.length = 0;
});

describe('a kind of due work that is declared next to its row', () => {
  it('is routed when its row is written', async () => {
    expect(routerWorker.on.entities).toContain('MADE_UP');
    await route({ Records: [streamRecord(undefined, row)] });
    expect(queues.take('made-up')).toEqual([{ madeUpId: 7 }]);
  });

  it('is swept', async () => {
    await putItem(row);
    await sweepSlot(sqsEvent([{ slot, shard: 7 }]));
    expect(queues.take('made-up')).toEqual([{ madeUpId: 7 }]);
  });

  it('is granted to the router and the sweep', () => {
    expect(routerWorker.grants.send).toContain('made-up');
    expect(sweepWorker.grants.send).toContain('made-up');
  });

  it('has a queue with alarms, once a worker reads it', () => {
    const worker = defineWorker('jobs/made-up', {
      summary: 'Does what was made up',
      ...{ on: { queue: 'made-up', batchSize: 1 }, timeoutSeconds: 30, memoryMegabytes: 256, grants: {} },
    });
    const others = workers.filter(({ area, name }) => area !== 'jobs' || (name !== 'router' && name !== 'sweep'));
    const { ofType } = synthesize({ workers: [...others, routerWorker, sweepWorker, worker] });
    const named = (type: string, property: string) => ofType(type).map(({ properties }) => properties[property]);
    expect(named('AWS::SQS::Queue', 'QueueName')).toEqual(
      expect.arrayContaining(['forewarn-dev-made-up', 'forewarn-dev-made-up-dead-letters']),
    );
    expect(named('AWS::CloudWatch::Alarm', 'AlarmName')).toEqual(
      expect.arrayContaining(['forewarn-dev/made-up-waiting', 'forewarn-dev/made-up-dead-letters']),
    );
  });

  it('makes the stack refuse to build while no worker reads its queue', () => {
    const others = workers.filter(({ area, name }) => area !== 'jobs' || (name !== 'router' && name !== 'sweep'));
    expect(() => synthesize({ workers: [...others, routerWorker, sweepWorker] })).toThrow('There is no queue made-up');
  });
});

it('throws for a row of a kind that is not declared, instead of sending it to some queue', () => {
  const unknown = { ...row, dueSk: `${at}#UNKNOWN#7` };
  expect(() => dueMessage(unknown, slot)).toThrow('No row is declared that becomes due as UNKNOWN');
});
