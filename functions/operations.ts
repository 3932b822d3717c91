import type { Operation } from './core/operation.ts';
import { declarationsIn } from './found.ts';

/** The whole API: whatever lies in `functions/<area>/<name>/operation.ts`. */
export const operations = (await declarationsIn('operation.ts')) as readonly Operation[];
