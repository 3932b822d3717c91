import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { securityHeaders } from '../../functions/core/security-headers.ts';
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
  it.each([
    ['no route', '/nowhere', {}],
    ['no token', '/api/v3/alerts/list', {}],
    ['too long a body', '/api/v2/index.php/gettoken', { body: 'x'.repeat(11_000_000) }],
    ['a refusal of a function', '/api/v2/index.php/gettoken', { body: {} }],
  ])('%s is told to browsers with the same care', async (_, path, request) => {
    const { status, headers } = await service.call(path, request);
    expect(status).toBeGreaterThanOrEqual(400);
    for (const [name, value] of Object.entries(securityHeaders)) expect(headers.get(name)).toBe(value);
  });

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
