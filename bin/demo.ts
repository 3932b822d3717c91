import { createStage } from '../lib/local/demo/stage.ts';
import { playStory } from '../lib/local/demo/story.ts';
import { withTemporaryStack } from '../lib/local/demo/temporary-stack.ts';
import { messageOf } from '../lib/local/plain-error.ts';

/** `npm run demo`: the story this service is for, played on the real local stack; exit status 1 if a step fails. */
const stage = createStage();
const begun = performance.now();
try {
  await withTemporaryStack(stage, (stack) => playStory(stack, stage));
  stage.end(performance.now() - begun);
} catch (error) {
  stage.fail(messageOf(error));
  process.exitCode = 1;
}
