import { ForewarnError } from './error.ts';
import { authenticateWith, prepareWith } from './flow.ts';
import type * as v1 from './v1.d.ts';
import { version } from './version.ts';

/** The ES module. */
export const prepare: typeof v1.prepare = (options) => prepareWith(options, import.meta.url);
export const authenticate: typeof v1.authenticate = (options) => authenticateWith(options, import.meta.url);
export { ForewarnError, version };
