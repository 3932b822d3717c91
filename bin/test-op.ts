import {
  coversAll,
  listTested,
  listTestFiles,
  runShown,
  startsStack,
  testsFunction,
  toPattern,
} from './commands/test-files.ts';

/**
 * `npm run test:op -- <area>/<name>`: the tests of one operation or worker. Files that call it by its name, or import it, without a whole stack; at the
 * same time, of those that go over all operations, the parts about this one: registry, bad calls and sample event.
 */
const main = async (name = ''): Promise<number> => {
  const known = listTested();
  const operation = known.find(({ key }) => key === name);
  if (!operation) {
    const near = known.flatMap(({ area, key }) => (area === name.split('/')[0] ? [key] : []));
    process.stderr.write(
      `There is no operation ${name || '(none was named)'}. ${near.length > 0 ? `There are ${near.sort().join(', ')}.` : 'Name one as area/name.'}\n`,
    );
    return 1;
  }
  const files = listTestFiles();
  const own = files.filter((file) => testsFunction(file, operation) && !startsStack(file));
  const all = files.filter(coversAll);
  const run = (some: typeof files, pattern = '') =>
    runShown(`vitest run ${some.map(({ path }) => path).join(' ')}${pattern}`);
  const codes = await Promise.all([own.length > 0 ? run(own) : 0, run(all, ` -t '${toPattern([name])}'`)]);
  return codes.find((code) => code !== 0) ?? 0;
};

process.exitCode = await main(process.argv[2]);
