import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Code that leaves something behind in its process, or calls a helper that may: a mock, a hook, an emulator, the clock, the
 * environment.
 */
const leavesTraces =
  /\bvi\.|\bprocess\.|\b(?:before|after)(?:All|Each)\b|\bsetClock\b|\binject\(|\/support\/|\/seed|\/fake-|\bnode:(?!fs|path|crypto|util)/;

/**
 * Starts programs, builds, counts what a process loads, or tests what setup files replace: it needs a process that does nothing
 * else.
 */
const wantsOwnProcess =
  /\/bench\/|\bnode:(?:child_process|module)\b|\blib\/(?:build|local\/(?:build|dev))\b|\bvi\.unmock\(|from 'typescript'/;
/** Shares one whatever else it does: writes to a table, runs the whole service, or tests how files share a process. */
const sharesProcess = /\/support\/(?:table|stack|fresh-modules)\.ts'/;

export type TestGroups = {
  /**
   * Those that only call functions and look at what they give: they leave nothing behind, so one process may run them all and
   * load what they test once.
   */
  together: string[];
  /** The files that share a process, but no modules of the project: `fresh-modules.ts` undoes what the one before has left. */
  inTurn: string[];
  /** The rest: each in a process of its own. */
  alone: string[];
};

export const groupTestFiles = (folder = 'test'): TestGroups => {
  const groups: TestGroups = { together: [], inTurn: [], alone: [] };
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.test.ts'));
  for (const file of names.map((name) => join(folder, name)).sort()) groups[pickGroup(file)].push(file);
  return groups;
};

const pickGroup = (file: string): keyof TestGroups => {
  const text = readFileSync(file, 'utf8');
  if (!leavesTraces.test(text)) return 'together';
  return sharesProcess.test(text) || !wantsOwnProcess.test(text) ? 'inTurn' : 'alone';
};
