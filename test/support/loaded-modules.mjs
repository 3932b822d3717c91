import { writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

// Preloaded with `node --import`: writes down which files a program loads, to the file that LOADED_MODULES names.
const loaded = [];
registerHooks({
  load: (url, context, next) => {
    loaded.push(url);
    return next(url, context);
  },
});
process.on('exit', () => writeFileSync(process.env['LOADED_MODULES'], JSON.stringify(loaded)));
