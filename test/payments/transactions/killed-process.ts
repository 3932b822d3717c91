import { AsyncLocalStorage } from 'node:async_hooks';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { beforeAll } from 'vitest';

/** A process that is killed at one of its calls of the table: before it is sent, or when it was done and its answer is lost. */
type Life = { calls: number; dieAt: number; how: 'before' | 'after'; isDead: boolean };

const lives = new AsyncLocalStorage<Life>();

/** Lets `untilKilled` kill; to be called at a test file's top level, after useOperations. */
export const useMortality = (): void => {
  beforeAll(() => {
    const send = DynamoDBDocumentClient.prototype.send;
    DynamoDBDocumentClient.prototype.send = async function (this: DynamoDBDocumentClient, ...parameters: unknown[]) {
      const life = lives.getStore();
      if (life?.isDead) throw new Error('This process is dead');
      if (!life) return Reflect.apply(send, this, parameters);
      life.calls += 1;
      if (life.calls !== life.dieAt) return Reflect.apply(send, this, parameters);
      life.isDead = true;
      if (life.how === 'after') await Reflect.apply(send, this, parameters);
      throw new Error('This process was killed');
    } as typeof send;
  });
};

/** Does some work in a process that dies at its n-th call. Answers whether it died; it did not if it makes fewer calls. */
export const untilKilled = async (dieAt: number, how: Life['how'], work: () => Promise<unknown>): Promise<boolean> => {
  const life: Life = { calls: 0, dieAt, how, isDead: false };
  await lives.run(life, () => work().catch(() => undefined));
  return life.isDead;
};

/** Counts the calls of the table that some work makes. */
export const countCalls = async (work: () => Promise<unknown>): Promise<number> => {
  const life: Life = { calls: 0, dieAt: Number.POSITIVE_INFINITY, how: 'before', isDead: false };
  await lives.run(life, work);
  return life.calls;
};
