import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { findFolder } from '#functions/declaration-files.ts';
import { operations } from '#functions/operations.ts';
import type { BadCalls } from './bad-calls.ts';

/**
 * The file with an operation's bad calls, next to its own tests: it exports `badCalls`, about what the suite of its area
 * prepares.
 */
export const badCallsFile = ({ area, name }: { area: string; name: string }): string => {
  const [, shelf = ''] = findFolder({ area, name }).split('/');
  return join('test', shelf, area, `${name}.bad-calls.ts`);
};

/**
 * Returns those of a suite's lists, and those in files next to the tests of their operations. Throws an Error where both have
 * some.
 */
export const withFoundCalls = async <Fixture>(
  listed: Record<string, BadCalls>,
  areas: readonly string[],
  fixture: Fixture,
): Promise<Record<string, BadCalls>> => {
  const files = operations.filter(({ area }) => areas.includes(area)).filter((one) => existsSync(badCallsFile(one)));
  const found = await Promise.all(
    files.map(async (one) => {
      const { badCalls }: { badCalls(fixture: Fixture): BadCalls | Promise<BadCalls> } = await import(
        pathToFileURL(resolve(badCallsFile(one))).href
      );
      return [`${one.area}/${one.name}`, await badCalls(fixture)] as const;
    }),
  );
  const twice = found.filter(([name]) => name in listed).map(([name]) => name);
  if (twice.length > 0)
    throw new Error(`Bad calls of ${twice.join(', ')} are in two places: test/flows and a file of their own`);
  return { ...listed, ...Object.fromEntries(found) };
};
