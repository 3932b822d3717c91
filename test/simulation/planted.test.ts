import { spawn } from 'node:child_process';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Caught } from './hunt.ts';
import { planted } from './planted.ts';

/** The service with a fault in it, in a process of its own: see hunt.ts. */
const hunt = async (): Promise<Caught[]> => {
  const child = spawn(process.execPath, [new URL('hunt.ts', import.meta.url).pathname], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const chunks: Buffer[] = [];
  for await (const chunk of child.stdout) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString()) as Caught[];
};

describe('the simulation catches within 300 histories', () => {
  let caught: readonly Caught[] = [];
  beforeAll(async () => {
    caught = await hunt();
  }, 600_000);

  it.each(planted)('that $name', ({ name, breaks }) => {
    expect(caught.find((one) => one.name === name)?.invariants ?? []).toContain(breaks);
  });

  it('each of at least twenty faults', () => {
    expect(new Set(planted.map(({ name }) => name)).size).toBeGreaterThanOrEqual(20);
  });
});
