import { createRequire } from 'node:module';
import type { Plugin } from 'esbuild';

/** Packages that keep nothing of one function where another could find it. */
const linkable = /^(?:@aws-sdk\/|@smithy\/|valibot$)/;

const require = createRequire(import.meta.url);

/**
 * Leaves these packages out of a bundle, to be loaded once by the process. Each is asked once a bundle for all that it exports: told
 * that a package is external, esbuild copies every export of it for each of our files that imports it, 8 MB of getters for a function.
 */
export const linkedPackages: Plugin = {
  name: 'linked packages',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: linkable }, ({ path, namespace }) =>
      namespace === 'linked' ? { path, external: true } : { path, namespace: 'linked' },
    );
    onLoad({ filter: /^/, namespace: 'linked' }, ({ path }) => {
      const names = Object.keys(require(path)).filter((name) => /^[A-Za-z_$][\w$]*$/.test(name) && name !== 'default');
      return { contents: `export const { ${names.join(', ')} } = require(${JSON.stringify(path)});` };
    });
  },
};
