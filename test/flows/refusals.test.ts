import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../functions/operations.ts';
import { startStack, type TestStack } from '../support/stack.ts';

let service: TestStack;
let token: string;
beforeAll(async () => {
  service = await startStack();
  token = await service.tokenOf('admin');
});
afterAll(() => service.stop());

const pathOf = (path: string) => path.replace(/\{\w+\}/g, '1');
const isGuarded = ({ auth }: { auth: string }) => auth === 'bearer' || auth === 'admin';

describe('through the gateway', () => {
  it.each(operations.filter(isGuarded))('$area/$name answers nobody without a token', async ({ path, method }) => {
    const { status, body, headers } = await service.call(pathOf(path), { method, body: {} });
    expect([status, body['msg']]).toEqual([401, 'Unauthorized']);
    expect(headers.get('x-request-id')).toBeTruthy();
  });

  it.each(operations.filter((one) => isGuarded(one) && one.body))(
    '$area/$name refuses half a body',
    async ({ path }) => {
      const { status, body, headers } = await service.call(pathOf(path), { token, body: '{"half":' });
      expect(status).toBe(400);
      expect(body['details']).toContain('is not valid JSON');
      expect(headers.get('x-request-id')).toBeTruthy();
    },
  );
});
