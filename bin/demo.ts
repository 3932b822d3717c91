import { parseArgs } from 'node:util';
import colours from 'picocolors';
import { helpOption, jsonOption, runCommand } from '#lib/local/command.ts';
import { UserError } from '#lib/local/user-error.ts';

/** `npm run demo`: the stories this service is for, played on the real local stack. */
const help = `${colours.bold('npm run demo -- [story]')}    Plays a story on a local stack that lives just as long

  alerts      A dispute alert, from the network to the merchant's answer (the default)
  payments    A payment, its refund, and a dispute about it
  network     How an answer reaches the card network, and what a rule does about charges taken elsewhere: one it refunds, one that
              was charged back before
  3ds         How a payer is authenticated
  orders      How a bank sees what was bought
  connect     A merchant's own service: an alert is fetched, its charge found there and refunded, and the network notified
  history     A past year is imported, enrollments are proposed, savings estimated, and a network's bill is compared

  --json      Prints each step as a line of JSON, for programs

Exit status 1 if a step fails.
`;

const options = { ...jsonOption, ...helpOption } as const;

// Loaded when they are played: what plays them is the whole stack.
const stories = new Map([
  ['alerts', async () => (await import('#lib/local/demo/story.ts')).playStory],
  ['payments', async () => (await import('#lib/local/demo/payment-story.ts')).playPaymentStory],
  ['network', async () => (await import('#lib/local/demo/network-story.ts')).playNetworkStory],
  ['3ds', async () => (await import('#lib/local/demo/three-ds-story.ts')).playThreeDsStory],
  ['orders', async () => (await import('#lib/local/demo/orders-story.ts')).playOrdersStory],
  ['connect', async () => (await import('#lib/local/demo/connect-story.ts')).playConnectStory],
  ['history', async () => (await import('#lib/local/demo/history-story.ts')).playHistoryStory],
]);

const main = async (args: string[]): Promise<void> => {
  const { values: flags, positionals } = parseArgs({ args, options, allowPositionals: true });
  if (flags.help) {
    process.stdout.write(help);
    return;
  }
  const [name = 'alerts', ...rest] = positionals;
  const load = stories.get(name);
  if (!load || rest.length > 0)
    throw new UserError(`There is no story ${positionals.join(' ')}; there are ${[...stories.keys()].join(', ')}.`);
  const [{ createStage, createJsonStage }, { withTemporaryStack }, { errorText }, play] = await Promise.all([
    import('#lib/local/demo/stage.ts'),
    import('#lib/local/demo/temporary-stack.ts'),
    import('#lib/local/user-error.ts'),
    load(),
  ]);
  const stage = flags.json ? createJsonStage() : createStage();
  const begun = performance.now();
  try {
    await withTemporaryStack(stage, (stack) => play(stack, stage));
    stage.end(performance.now() - begun);
  } catch (error) {
    stage.fail(errorText(error));
    process.exitCode = 1;
  }
};

await runCommand(main);
