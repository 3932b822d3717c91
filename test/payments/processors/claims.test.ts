import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { randomText } from '#core/kernel/ids.ts';
import { endOnce, once, type ProcessorClaims } from '#payments/processors/claims/claims.ts';
import { tableClaims } from '#payments/processors/claims/claims-store.ts';
import type { ProcessorResult } from '#payments/processors/ports/processor.ts';
import { memoryClaims } from '#test/support/memory-claims.ts';
import { useTable } from '#test/support/table.ts';

useTable();

const ok: ProcessorResult = { outcome: 'OK', reference: 'r1' };
const nothingLeft: ProcessorResult = { outcome: 'EXC', code: 'refund_failed', reference: null };
const unknown: ProcessorResult = { outcome: 'UNKNOWN', detail: 'lost' };

describe.each([
  ['in the table', () => tableClaims(randomText(12))],
  ['of the tests', memoryClaims],
] as const)('claims %s', (_, make) => {
  let claims: ProcessorClaims;
  beforeEach(() => {
    claims = make();
  });

  it('a name is new to one, and known to all others after that', async () => {
    expect(await claims.take('a', 'x')).toEqual({ holder: 'x', isNew: true });
    expect(await claims.take('a', 'x')).toEqual({ holder: 'x', isNew: false });
    expect(await claims.take('a', 'y')).toEqual({ holder: 'x', isNew: false });
    expect(await claims.take('b', 'y')).toEqual({ holder: 'y', isNew: true });
  });

  it('of many at once one has it', async () => {
    const takers = ['x', 'y', 'z', 'x', 'y'];
    const taken = await Promise.all(takers.map((holder) => claims.take('a', holder)));
    expect(taken.filter(({ isNew }) => isNew)).toHaveLength(1);
    expect(new Set(taken.map(({ holder }) => holder)).size).toBe(1);
  });

  it('is given back by its holder only, and then free', async () => {
    await claims.release('a', 'x');
    await claims.take('a', 'x');
    await claims.release('a', 'y');
    expect(await claims.take('a', 'y')).toEqual({ holder: 'x', isNew: false });
    await claims.release('a', 'x');
    expect(await claims.take('a', 'y')).toEqual({ holder: 'y', isNew: true });
    await claims.release('a', 'x');
    expect(await claims.take('a', 'x')).toEqual({ holder: 'y', isNew: false });
  });

  it.each([
    ['done', ok, 1],
    ['in doubt', unknown, 1],
    ['refused and nothing left there', nothingLeft, 2],
    ['refused and kept there', { ...nothingLeft, reference: 'r1' } as ProcessorResult, 1],
  ])('what was %s is asked for so often in two tries: %s', async (_words, outcome, times) => {
    let asked = 0;
    const act = async () => {
      asked += 1;
      return outcome;
    };
    const repeat = async () => ok;
    await once(claims, 'refund:k', { act, repeat });
    await once(claims, 'refund:k', { act, repeat });
    expect(asked).toBe(times);
  });

  it('a payment is captured or voided, whichever comes first, until that came to nothing', async () => {
    const payment = { reference: 'p1', idempotencyKey: 'k1' };
    const other = { reference: 'p1', idempotencyKey: 'k2' };
    const ways = (outcome: ProcessorResult) => ({ act: async () => outcome, repeat: async () => ok });
    expect(await endOnce(claims, 'capture', payment, ways(unknown))).toEqual(unknown);
    expect(await endOnce(claims, 'void', other, ways(ok))).toMatchObject({ outcome: 'EXC', code: 'void_failed' });
    expect(await endOnce(claims, 'capture', other, ways(ok))).toMatchObject({ code: 'capture_failed' });
    expect(await endOnce(claims, 'capture', payment, ways(unknown))).toEqual(ok);
    await claims.release('end:p1', 'capture:k1');
    expect(await endOnce(claims, 'void', other, ways(ok))).toEqual(ok);
  });
});

describe('a claim whose answer was lost on the way', () => {
  afterEach(() => mockClient(DynamoDBDocumentClient).restore());

  it('finds itself when the write is sent again', async () => {
    mockClient(DynamoDBDocumentClient)
      .on(PutCommand)
      .callsFake(({ Item }) => {
        const Standing = marshall(Item);
        throw new ConditionalCheckFailedException({ message: 'It is there', $metadata: {}, Item: Standing });
      });
    expect(await tableClaims(randomText(12)).take('a', 'x')).toEqual({ holder: 'x', isNew: true });
  });
});
