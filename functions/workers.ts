import type { Worker } from './core/worker.ts';
import { declaredIn } from './found.ts';

/** Every function that no caller reaches: whatever lies in `functions/<area>/<name>/worker.ts`. */
export const workers = (await declaredIn('worker.ts')) as readonly Worker[];
