import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Operation } from '../../functions/core/operation.ts';
import { securityHeaders } from '../../functions/core/security-headers.ts';
import type { Worker } from '../../functions/core/worker.ts';
import { operations } from '../../functions/operations.ts';
import { workers } from '../../functions/workers.ts';
import type { Invocation } from '../../lib/local/functions/function-runner.ts';
import { runSample } from '../../lib/local/invoke/run-sample.ts';
import { differences, exampleOfReply, hasJsonReply, nameOf, readReplies } from '../../lib/openapi/replies.ts';
import { answerProblems, requestProblems } from '../support/api-document.ts';
import { startStack, type TestStack } from '../support/stack.ts';

let service: TestStack;
beforeAll(async () => {
  service = await startStack({ real: true });
});
afterAll(() => service.stop());

const run = (declared: Operation | Worker) => runSample(declared, service, service.stack);

/** The sandbox tells of a chargeback seconds after its payment: the clock moves on until it has. */
const runWithTime = async (operation: Operation): Promise<Invocation> => {
  const running = run(operation);
  const over = running.then(
    () => true,
    () => true,
  );
  while (!(await Promise.race([over, service.clock.advance('PT1S')])));
  return running;
};

const replies = readReplies();

const Called = v.object({
  path: v.string(),
  headers: v.record(v.string(), v.string()),
  queryStringParameters: v.nullish(v.record(v.string(), v.string())),
  body: v.nullish(v.string()),
  isBase64Encoded: v.optional(v.boolean(), false),
});
const Answer = v.object({
  statusCode: v.number(),
  headers: v.record(v.string(), v.string()),
  body: v.string(),
});

/** Where a sample event and its answer are not as the API document has them. */
const undocumented = (operation: Operation, { event, result }: Invocation): string[] => {
  const { path, headers, queryStringParameters, body, isBase64Encoded } = v.parse(Called, event);
  const sent = {
    path,
    query: queryStringParameters ?? {},
    contentType: headers['content-type'],
    body: Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8').toString(),
  };
  const { statusCode: status, headers: answered, body: text } = v.parse(Answer, result);
  const answer = { status, headers: answered, body: text };
  return [...requestProblems(operation, sent), ...answerProblems(operation, sent, answer)];
};

describe('the sample event', () => {
  it.each(operations)('of $area/$name is answered with 200', async (operation) => {
    const invocation = await (operation.area === 'chargebacks' ? runWithTime : run)(operation);
    const { result, error } = invocation;
    expect(error).toBeUndefined();
    expect(result).toMatchObject({ statusCode: 200, headers: securityHeaders });
    expect(undocumented(operation, invocation), 'as the API document has it').toEqual([]);
    if (!hasJsonReply(operation)) return;
    const example = replies[nameOf(operation)];
    expect(example, 'run npm run examples').toBeDefined();
    expect(differences(example, exampleOfReply(result)), 'run npm run examples').toEqual([]);
  });

  it.each(workers)('of $area/$name is worked off', async (worker) => {
    const { result, error } = await run(worker);
    expect(error).toBeUndefined();
    const parsed = v.safeParse(v.object({ batchItemFailures: v.array(v.unknown()) }), result);
    if (!('authorizer' in worker.on)) expect(parsed.output).toEqual({ batchItemFailures: [] });
  });
});

it('lets no function do what it was not granted', () => expect(service.problems).toEqual([]));
