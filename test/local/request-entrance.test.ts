import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect, it } from 'vitest';
import { createEntrance } from '#lib/local/control/request-entrance.ts';

/** Has one request come in; answers how often it was asked whether functions are behind before the gateway got it. */
const askedBefore = async (isBehind: (asked: number) => boolean): Promise<number[]> => {
  let asked = 0;
  const admitted: number[] = [];
  const gateway = async () => void admitted.push(asked);
  const entrance = createEntrance(gateway, () => {
    asked += 1;
    return isBehind(asked);
  });
  const request = { url: '/alerts', method: 'POST' } as IncomingMessage;
  await entrance.listener(async () => expect.unreachable())(request, {} as ServerResponse);
  return admitted;
};

it('lets a request wait while functions are behind, and no longer', async () => {
  expect(await askedBefore(() => false)).toEqual([1]);
  expect(await askedBefore((asked) => asked < 4)).toEqual([4]);
});

it('lets a request in after a while even so', async () => {
  expect(await askedBefore(() => true)).toHaveLength(1);
});
