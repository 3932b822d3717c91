import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { nowMilliseconds } from '#core/kernel/clock.ts';
import { openObjects, startObjectServer } from '#lib/local/aws/objects.ts';
import { openState } from '#lib/local/state.ts';

const names = ['OBJECTS_BUCKET', 'AWS_ENDPOINT_URL_S3', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'] as const;

/** Gives the tests of a file the bucket of a local stack. */
export const useObjects = (): void => {
  const folder = mkdtempSync(join(tmpdir(), 'forewarn-objects-'));
  const before = names.map((name) => [name, process.env[name]] as const);
  const toClose = new AsyncDisposableStack();
  beforeAll(async () => {
    const state = toClose.adopt(openState(folder), (one) => one.close());
    const server = await startObjectServer(openObjects(state), { now: nowMilliseconds });
    toClose.adopt(server, (one) => one.close());
    Object.assign(process.env, {
      ...{ OBJECTS_BUCKET: 'forewarn-test-objects', AWS_ENDPOINT_URL_S3: server.url },
      ...{ AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'local' },
    });
  });
  afterAll(async () => {
    await toClose.disposeAsync();
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
    rmSync(folder, { recursive: true, force: true });
  });
};
