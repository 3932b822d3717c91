import {
  coversAll,
  listTested,
  listTestFiles,
  runVitest,
  startsStack,
  testsFunction,
  toPattern,
} from './commands/test-files.ts';

/**
 * `npm run test:op -- <area>/<name>`: the tests of one operation or worker. First the files that call it by its name, or import it, without a whole stack;
 * then, of those that go over all operations, what is about this one: registry, bad calls and sample event.
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
  const first = own.length > 0 ? await runVitest(...own.map(({ path }) => path)) : 0;
  const second = await runVitest(...all.map(({ path }) => path), '-t', toPattern([name]));
  return first || second;
};

process.exitCode = await main(process.argv[2]);
