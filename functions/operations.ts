import type { Operation } from './core/operation.ts';
import { declaredIn } from './found.ts';

/** The whole API: whatever lies in `functions/<area>/<name>/operation.ts`. */
export const operations = (await declaredIn('operation.ts')) as readonly Operation[];
