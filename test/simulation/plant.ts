import { registerHooks } from 'node:module';
import { type Planted, planted } from './planted.ts';

/**
 * Loads the service with every planted fault in it, each of which works only while it is switched on: so one process can try them
 * all. To be imported before any function is.
 */

const at = Symbol.for('forewarn.planted');

/** Switches one on, and all others off. */
export const switchOn = (name: string | undefined): void => {
  Object.assign(globalThis, { [at]: name });
};

// For programs that are started with this file before them.
switchOn(process.env['FOREWARN_PLANTED']);

const withFault = (source: string, { also = [], ...fault }: Planted): string =>
  [fault, ...also.map((more) => ({ ...fault, ...more }))].reduce(withChange, source);

const withChange = (source: string, { name, file, is, becomes }: Planted): string => {
  const [before, after, ...more] = source.split(is);
  if (before === undefined || after === undefined || more.length > 0) {
    throw new Error(`“${name}” wants ${file} to have exactly one ${is}`);
  }
  const isOn = `globalThis[Symbol.for('forewarn.planted')] === ${JSON.stringify(name)}`;
  return `${before}(${isOn} ? (${becomes}) : (${is}))${after}`;
};

registerHooks({
  load: (url, context, next) => {
    const loaded = next(url, context);
    const own = planted.filter(({ file }) => url.endsWith(`/functions/${file}`));
    if (own.length === 0) return loaded;
    return { ...loaded, source: own.reduce(withFault, String(loaded.source)) };
  },
});
