import { watch } from 'node:fs';
import { join } from 'node:path';
import type { FunctionCode } from './build/function-code.ts';
import type { FunctionDefinition, FunctionRunner } from './functions/function-runner.ts';
import { errorText } from './user-error.ts';

/** Editors write a file in several steps; what comes within this time is one edit. */
const pauseMilliseconds = 40;
/** So many are built at once; the rest when they are next called, so that an edit of what all share takes no longer. */
const builtAtOnce = 8;

/** Calls back after edits under folders of a project. The returned function ends that. */
export const watchFolders = (root: string, folders: readonly string[], onEdit: () => void): (() => void) => {
  let timer: NodeJS.Timeout | undefined;
  const soon = () => {
    clearTimeout(timer);
    timer = setTimeout(onEdit, pauseMilliseconds);
  };
  const watchers = folders.map((folder) => watch(join(root, folder), { recursive: true }, soon));
  return () => {
    clearTimeout(timer);
    for (const watcher of watchers) watcher.close();
  };
};

export type ReloaderParts = {
  code: Pick<FunctionCode, 'listChanged' | 'folderOf'>;
  runner: Pick<FunctionRunner, 'definitions' | 'forget'>;
  /** Returns the name of a function of the stack in the project, `area/name`. */
  nameOf(definition: FunctionDefinition): string | undefined;
  print(line: string): void;
  onProblem(sentence: string): void;
};

/**
 * Reloads edited files into a running stack: functions whose sources changed are loaded again at their next call, and are built before it.
 * Returns a function to call after each edit; it settles when what it builds is built.
 */
export const createReloader = ({ code, runner, nameOf, print, onProblem }: ReloaderParts): (() => Promise<void>) => {
  // A failed build is in no version, so only this records that it must be tried again.
  let broken: readonly string[] = [];
  const reload = async () => {
    const changed = [...new Set([...broken, ...code.listChanged()])];
    if (changed.length === 0) return;
    const begun = performance.now();
    const names = new Set(changed);
    runner.forget(runner.definitions.filter((one) => names.has(nameOf(one) ?? '')).map(({ name }) => name));
    const first = changed.slice(0, builtAtOnce);
    broken = first;
    try {
      await Promise.all(first.map(code.folderOf));
      broken = [];
      print(sayBuilt(first, changed.length - first.length, (performance.now() - begun) / 1000));
    } catch (error) {
      onProblem(errorText(error));
    }
  };
  let last: Promise<void> = Promise.resolve();
  return () => {
    last = last.then(reload);
    return last;
  };
};

const sayBuilt = (built: readonly string[], others: number, seconds: number): string => {
  const rest = others > 0 ? `, ${others} more when they are next called` : '';
  return `reloaded ${built.join(', ')} in ${seconds.toFixed(1)} s${rest}`;
};

type Edits = {
  /** The processes that run now. */
  current: () => { reload(): Promise<void> };
  /** Puts another in its place if an edit asks for it. */
  takeTemplate: () => Promise<void>;
  onFailure: (error: unknown) => void;
};

/** Takes one edit after the other. The next does not wait for the template to be synthesized, which takes seconds. */
export const createEdits = ({ current, takeTemplate, onFailure }: Edits): (() => void) => {
  let last: Promise<void> = Promise.resolve();
  return () => {
    const session = current();
    const reloaded = session.reload();
    // Looked at below, unless it no longer matters.
    reloaded.catch(() => undefined);
    last = last
      // A session that was replaced meanwhile took the edit for nothing, or failed: the new one may have been built before it.
      .then(() => (current() === session ? reloaded : current().reload()))
      .then(takeTemplate)
      .catch(onFailure);
  };
};
