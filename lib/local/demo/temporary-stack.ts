import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openBuild } from '../build/build.ts';
import { type LocalStack, startLocalStack } from '../stack.ts';
import type { Playground } from './client.ts';
import type { Stage } from './stage.ts';

/** When the demo's clock starts: an ordinary morning, so that the next slot is noon. */
const startTime = Date.UTC(2026, 4, 2, 10, 12);

/** Runs something on a stack of its own, on a free port and in a folder that is gone afterwards. */
export const withTemporaryStack = async (
  stage: Stage,
  run: (playground: Playground & { dataFolder: string }, stack: LocalStack) => Promise<void>,
): Promise<void> => {
  const built = stage.wait('Synthesizing the stack');
  const { template, templateFolder, code } = await openBuild();
  built(template.isCached ? 'The stack was synthesized before' : 'The stack is synthesized');
  const started = stage.wait('Starting the service on this machine');
  const dataFolder = await mkdtemp(join(tmpdir(), 'forewarn-demo-'));
  try {
    const stack = await startLocalStack({ templateFolder, code, dataFolder, port: 0, startTime });
    try {
      started(`The service runs at ${stack.url}, from the template that deploys`);
      const credentials = stack.credentials();
      if (!credentials) throw new Error('The demo expected a demo tenant.');
      await run({ url: stack.url, credentials, dataFolder }, stack);
    } finally {
      await stack.stop();
    }
  } finally {
    await rm(dataFolder, { recursive: true, force: true });
  }
};
