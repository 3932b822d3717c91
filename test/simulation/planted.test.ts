import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Caught } from './hunt.ts';
import { planted } from './planted.ts';

/** The service with a fault in it, in a process of its own: see hunt.ts. */
const hunt = async (): Promise<Caught[]> => {
  const child = spawn(process.execPath, [new URL('hunt.ts', import.meta.url).pathname], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [out, said] = await Promise.all([text(child.stdout), text(child.stderr)]);
  // The error that kept it from its end is the last that it prints.
  if (out === '') throw new Error(said.slice(-2000));
  return JSON.parse(out) as Caught[];
};

describe('the simulation catches within 300 histories', () => {
  let caught: readonly Caught[] = [];
  beforeAll(async () => {
    caught = await hunt();
  });

  it.each(planted)('that $name', ({ name, breaks }) => {
    expect(caught.find((one) => one.name === name)?.invariants ?? []).toContain(breaks);
  });

  it('a planted fault, and reduces its history to the events that the violation needs', () => {
    const [shortened] = caught.flatMap((one) => one.shortened ?? []);
    expect(shortened).toMatchObject({ isBroken: true, isBrokenByLess: false });
    expect(shortened?.needed.length).toBeGreaterThan(0);
    expect(shortened?.needed.length).toBeLessThan(shortened?.struck ?? 0);
  });

  it('at least twenty different faults', () => {
    expect(new Set(planted.map(({ name }) => name)).size).toBeGreaterThanOrEqual(20);
  });
});
