import { writeFileSync } from 'node:fs';
import { operations } from '#functions/operations.ts';
import { createJsonStage, createStage } from '#lib/local/demo/stage.ts';
import { withTemporaryStack } from '#lib/local/demo/temporary-stack.ts';
import { runSample } from '#lib/local/invoke/run-sample.ts';
import { exampleOfReply, hasJsonReply, type Replies, readReplies, repliesFile, toName } from '#lib/openapi/replies.ts';

/**
 * `npm run examples`: runs every operation with its sample event and records the answers for the API document;
 * `npm run examples -- documents/health` those of some alone. `--json` prints each step as a line of JSON.
 */
const given = process.argv.slice(2);
const wanted = given.filter((one) => one !== '--json');
const stage = given.includes('--json') ? createJsonStage() : createStage();
await withTemporaryStack(stage, async (playground, stack) => {
  const replies: Replies = wanted.length > 0 ? readReplies() : {};
  for (const operation of operations) {
    if (wanted.length > 0 && !wanted.includes(toName(operation))) continue;
    const { result, error } = await runSample(operation, playground, stack);
    if (error) throw error;
    if (hasJsonReply(operation)) replies[toName(operation)] = exampleOfReply(result);
  }
  writeFileSync(repliesFile, `${JSON.stringify(replies, null, 2)}\n`);
  stage.check(`${repliesFile} has ${Object.keys(replies).length} answers; npm run openapi takes them up`);
});
process.exit();
