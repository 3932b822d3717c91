import { randomInt } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { vi } from 'vitest';

/**
 * In every test file, writers that collided wait a tenth as long: what they wait for is here within a turn or two, and a test of one that
 * gives up would do nothing for two seconds. Functions that a stack runs from their bundles wait as they always do.
 */
vi.mock('#core/platform/table/pause-store.ts', () => ({
  pause: (attempt: number) => wait(randomInt(1, 3 * 2 ** Math.min(attempt, 5))),
}));
