import type { Worker } from './core/worker.ts';
import { declarationsIn } from './found.ts';

/** Every function that no caller reaches: whatever lies in `functions/<area>/<name>/worker.ts`. */
export const workers = (await declarationsIn('worker.ts')) as readonly Worker[];
