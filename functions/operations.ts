import type { Operation } from '#core/platform/operation/operation.ts';
import { declarationsIn } from './declaration-files.ts';

/** The whole API: every `functions/<shelf>/<area>/api/<name>/operation.ts`. */
export const operations = (await declarationsIn('operation.ts')) as readonly Operation[];
