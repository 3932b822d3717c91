import { ForewarnError } from './error.ts';
import { authenticateWith, prepareWith } from './flow.ts';
import type * as v1 from './v1.d.ts';
import { version } from './version.ts';

/** The plain script: `forewarn.prepare`, `forewarn.authenticate`. Which script it is can be asked only while it is run first. */
const { currentScript } = document;
const scriptUrl = currentScript instanceof HTMLScriptElement ? currentScript.src : undefined;

const forewarn: Omit<typeof v1, 'ForewarnError'> & { ForewarnError: typeof ForewarnError } = {
  prepare: (options) => prepareWith(options, scriptUrl),
  authenticate: (options) => authenticateWith(options, scriptUrl),
  ForewarnError,
  version,
};

Object.assign(globalThis, { forewarn });
