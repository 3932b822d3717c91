import { ClientRequest } from 'node:http';
import { createRequire } from 'node:module';
import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { expect, it, vi } from 'vitest';
import { setClock } from '#core/kernel/clock.ts';
import { createShortcut } from '#test/support/memory-stack.ts';
import { startMemoryTable } from '#test/support/memory-table.ts';

const crypto: typeof import('node:crypto') = createRequire(import.meta.url)('node:crypto');
const loadClock = () => import('#core/kernel/clock.ts');

it('a test file that shares a process finds nothing of what the one before has left', async () => {
  const before = await loadClock();
  const path = process.env['PATH'];
  const { end } = ClientRequest.prototype;
  const { write } = process.stdout;
  const { resolveMiddleware } = GetCommand.prototype;
  const { resolveMiddleware: ofQueues } = SendMessageBatchCommand.prototype;
  const { scrypt } = crypto;
  process.env['LEFT'] = 'by another file';
  delete process.env['PATH'];
  setClock(() => 0);
  vi.stubGlobal('left', true);
  vi.useFakeTimers();
  const { setTimeout: fakeTimeout } = globalThis;
  ClientRequest.prototype.end = () => expect.unreachable();
  process.stdout.write = () => expect.unreachable();
  startMemoryTable();
  createShortcut().enter(() => undefined, { targets: {}, paths: {} });
  mockClient(SQSClient);
  vi.spyOn(DynamoDBDocumentClient.prototype, 'send');
  mockClient(DynamoDBDocumentClient);

  vi.resetModules();
  await import('#test/support/fresh-modules.ts');
  const after = await loadClock();

  expect(after).not.toBe(before);
  expect(after.nowMilliseconds()).toBeGreaterThan(0);
  expect(process.env['LEFT']).toBeUndefined();
  expect(process.env['PATH']).toBe(path);
  expect('left' in globalThis).toBe(false);
  expect(globalThis.setTimeout).not.toBe(fakeTimeout);
  expect(ClientRequest.prototype.end).toBe(end);
  expect(process.stdout.write).toBe(write);
  expect(GetCommand.prototype.resolveMiddleware).toBe(resolveMiddleware);
  expect(SendMessageBatchCommand.prototype.resolveMiddleware).toBe(ofQueues);
  expect(crypto.scrypt).toBe(scrypt);
  for (const { prototype } of [SQSClient, DynamoDBDocumentClient]) expect(Object.hasOwn(prototype, 'send')).toBe(false);
});
