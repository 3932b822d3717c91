import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { invokables } from '../../lib/local/invoke.ts';
import { fillSample, sampleValues } from '../../lib/local/sample-event.ts';
import { startStack, type TestStack } from '../support/stack.ts';

let service: TestStack;
beforeAll(async () => {
  service = await startStack({ startTime: '2026-05-02T10:00:00Z' });
});
afterAll(() => service.stop());

const HttpReply = v.object({ statusCode: v.number(), body: v.string() });
const isOperation = (text: string) => text.includes('"httpMethod"');

describe.each(invokables())('the sample event of $name', ({ name, sample }) => {
  it('does what its function is for', async () => {
    const text = readFileSync(sample, 'utf8');
    const event = await fillSample(text, sampleValues(service.url, service.credentials));
    const { runner } = service.stack;
    const definition = runner.definitions.find((one) => one.name.endsWith(`-${name.replace('/', '-')}`));
    if (!definition) throw new Error(`The stack has no function ${name}`);
    const { result, error } = await runner.invoke(definition, event);
    expect(error).toBeUndefined();
    if (isOperation(text)) {
      const { statusCode, body } = v.parse(HttpReply, result);
      expect([statusCode, body]).toEqual([200, expect.any(String)]);
    } else if (name !== 'auth/authorizer') expect(result).toEqual({ batchItemFailures: [] });
  });
});
