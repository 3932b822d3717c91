import { playNetworkStory } from '../lib/local/demo/network-story.ts';
import { playOrdersStory } from '../lib/local/demo/orders-story.ts';
import { playPaymentStory } from '../lib/local/demo/payment-story.ts';
import { createStage } from '../lib/local/demo/stage.ts';
import { playStory } from '../lib/local/demo/story.ts';
import { withTemporaryStack } from '../lib/local/demo/temporary-stack.ts';
import { playThreeDsStory } from '../lib/local/demo/three-ds-story.ts';
import { messageOf } from '../lib/local/user-error.ts';

/**
 * `npm run demo`: the story this service is for, played on the real local stack; `npm run demo -- payments`: that of a payment;
 * `npm run demo -- network`: how an answer reaches the card network; `npm run demo -- 3ds`: how a payer is authenticated;
 * `npm run demo -- orders`: how a bank sees what was bought. Exit status 1 if a step fails.
 */
const stories = {
  alerts: playStory,
  payments: playPaymentStory,
  network: playNetworkStory,
  '3ds': playThreeDsStory,
  orders: playOrdersStory,
};
const [name = 'alerts'] = process.argv.slice(2);
const stage = createStage();
const begun = performance.now();
try {
  const play = Object.entries(stories).find(([one]) => one === name)?.[1];
  if (!play) throw new Error(`There is no story of ${name}; there are ${Object.keys(stories).join(', ')}.`);
  await withTemporaryStack(stage, (stack) => play(stack, stage));
  stage.end(performance.now() - begun);
} catch (error) {
  stage.fail(messageOf(error));
  process.exitCode = 1;
}
