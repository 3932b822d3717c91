import type { Worker } from '#core/platform/operation/worker.ts';
import { declarationsIn } from './declaration-files.ts';

/** Every function that no caller reaches: every `worker.ts` under a folder `jobs/`. */
export const workers = (await declarationsIn('worker.ts')) as readonly Worker[];
