import { authWorkers } from './auth/workers.ts';
import type { Worker } from './core/worker.ts';

/** Every function that no caller reaches. */
export const workers: readonly Worker[] = [...authWorkers];
