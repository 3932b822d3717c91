import { readdirSync } from 'node:fs';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { securityHeaders } from '#core/platform/http/security-headers.ts';
import type { Operation } from '#core/platform/operation/operation.ts';
import type { Worker } from '#core/platform/operation/worker.ts';
import { operations } from '#functions/operations.ts';
import { workers } from '#functions/workers.ts';
import { bundleName } from '#lib/build/bundle.ts';
import type { Invocation } from '#lib/local/functions/function-runner.ts';
import { runSample } from '#lib/local/invoke/run-sample.ts';
import { differences, exampleOfReply, hasJsonReply, readReplies, toName } from '#lib/openapi/replies.ts';
import { answerProblems, requestProblems } from '#test/support/api-document.ts';
import { builtCode } from '#test/support/built-code.ts';
import { startStack, type TestStack } from '#test/support/stack.ts';

/**
 * Operations in one file run on a table in memory: each is called with its sample as it is deployed by `test/budget.test.ts`, in a process of
 * its own. Those that load parts of their code when they want them, and workers, run here as they are deployed.
 */
const isInOneFile = async (operation: Operation): Promise<boolean> => {
  const names = readdirSync(await builtCode().folderOf(bundleName(operation)));
  return names.filter((name) => name.endsWith('.js')).length === 1;
};
const inOneFile = await Promise.all(operations.map(isInOneFile));

let service: TestStack;
const useStack = (real: boolean): void => {
  beforeAll(async () => {
    service = await startStack(real ? { real } : {});
  });
  afterAll(() => service.stop());
};

const run = (declared: Operation | Worker) => runSample(declared, service, service.stack);

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** The sandbox reports a chargeback seconds after its payment: the clock moves on until it has. */
const runWithTime = async (operation: Operation): Promise<Invocation> => {
  const running = run(operation);
  const over = running.then(
    () => true,
    () => true,
  );
  // A clock that has nothing to wait for leaves no turn to what runs.
  while (!(await Promise.race([over, service.clock.advance('PT1S').then(nextTurn)])));
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

const itAnswers = (which: readonly Operation[]): void =>
  it.each(which)('of $area/$name is answered with 200', async (operation) => {
    const invocation = await (operation.area === 'chargebacks' ? runWithTime : run)(operation);
    const { result, error } = invocation;
    expect(error).toBeUndefined();
    expect(result).toMatchObject({ statusCode: 200, headers: securityHeaders });
    expect(undocumented(operation, invocation), 'as the API document has it').toEqual([]);
    if (!hasJsonReply(operation)) return;
    const example = replies[toName(operation)];
    expect(example, 'run npm run examples').toBeDefined();
    expect(differences(example, exampleOfReply(result)), 'run npm run examples').toEqual([]);
  });

const itKeepsToGrants = (): void =>
  it('lets no function do what it was not granted', () => expect(service.problems).toEqual([]));

describe('the sample event', () => {
  useStack(false);
  itAnswers(operations.filter((_, index) => inOneFile[index]));
  itKeepsToGrants();
});

describe('the sample event, by functions as they are deployed,', () => {
  useStack(true);
  itAnswers(operations.filter((_, index) => !inOneFile[index]));

  it.each(workers)('of $area/$name is worked off', async (worker) => {
    const { result, error } = await run(worker);
    expect(error).toBeUndefined();
    const parsed = v.safeParse(v.object({ batchItemFailures: v.array(v.unknown()) }), result);
    if ('queue' in worker.on || 'stream' in worker.on) expect(parsed.output).toEqual({ batchItemFailures: [] });
  });
  itKeepsToGrants();
});
