import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Mutation, Report } from './plan.ts';

/**
 * The findings of earlier runs, by the digests of sources and test files: a change only repeats what it touches. The file is a cache of this
 * machine; without it, everything is found again.
 */
type Marks = { loading: string; running: string };
type TestEntry = {
  digest: string;
  milliseconds: number;
  unusable?: string;
  files: Record<string, Marks & { digest: string }>;
};
/** `survived`: the digest of each test file that passed, with a `+` if all of its tests were run. */
type MutantEntry = { killedBy?: string; killedDigest?: string; how?: string; survived: Record<string, string> };
type SourceEntry = { digest: string; mutants: Record<number, MutantEntry> };
type Contents = { tests: Record<string, TestEntry>; sources: Record<string, SourceEntry> };

export type Decision = 'killed' | 'survived' | 'unreached';

const toBits = (ids: readonly number[]): string => {
  const bytes = Buffer.alloc(ids.length === 0 ? 0 : Math.floor(Math.max(...ids) / 8) + 1);
  for (const id of ids) bytes[id >> 3] = (bytes[id >> 3] ?? 0) | (1 << (id & 7));
  return bytes.toString('base64');
};
const hasBit = (bits: string, id: number): boolean =>
  ((Buffer.from(bits, 'base64')[id >> 3] ?? 0) & (1 << (id & 7))) !== 0;

export class ResultStore {
  readonly #root: string;
  readonly #path: string;
  readonly #contents: Contents;
  readonly #digests = new Map<string, string>();

  /** `path`: where it is kept. */
  constructor(root: string, path: string) {
    this.#root = root;
    this.#path = path;
    this.#contents = existsSync(this.#path) ? JSON.parse(readFileSync(this.#path, 'utf8')) : { tests: {}, sources: {} };
  }

  save(): void {
    mkdirSync(dirname(this.#path), { recursive: true });
    writeFileSync(`${this.#path}.new`, JSON.stringify(this.#contents));
    renameSync(`${this.#path}.new`, this.#path);
  }

  digestOf(path: string): string {
    const known = this.#digests.get(path);
    if (known !== undefined) return known;
    const full = join(this.#root, path);
    const digest = existsSync(full) ? createHash('sha256').update(readFileSync(full)).digest('hex').slice(0, 16) : '';
    this.#digests.set(path, digest);
    return digest;
  }

  #testOf(path: string): TestEntry | undefined {
    const entry = this.#contents.tests[path];
    return entry?.digest === this.digestOf(path) ? entry : undefined;
  }

  /** Returns true if it is known which mutants of the sources the test file reaches. */
  knows(test: string, sources: readonly string[]): boolean {
    const entry = this.#testOf(test);
    if (!entry) return false;
    if (entry.unusable !== undefined) return true;
    return sources.every((source) => {
      const marks = entry.files[source];
      return marks === undefined || marks.digest === this.digestOf(source);
    });
  }

  /** Returns the way in which a test file reaches a mutant; undefined if it does not, or is unusable. */
  reach(test: string, { file, id }: Mutation): { milliseconds: number; loading: boolean } | undefined {
    const entry = this.#testOf(test);
    const marks = entry?.files[file];
    if (!entry || entry.unusable !== undefined || marks?.digest !== this.digestOf(file)) return undefined;
    if (hasBit(marks.running, id)) return { milliseconds: entry.milliseconds, loading: false };
    return hasBit(marks.loading, id) ? { milliseconds: entry.milliseconds, loading: true } : undefined;
  }

  millisecondsOf(test: string): number {
    return this.#contents.tests[test]?.milliseconds ?? 1000;
  }

  #mutantOf({ file, id }: Mutation): MutantEntry {
    const digest = this.digestOf(file);
    const before = this.#contents.sources[file];
    const source = before?.digest === digest ? before : { digest, mutants: {} };
    this.#contents.sources[file] = source;
    const entry = source.mutants[id] ?? { survived: {} };
    source.mutants[id] = entry;
    return entry;
  }

  isKilled(mutant: Mutation): boolean {
    const { killedBy, killedDigest } = this.#mutantOf(mutant);
    return killedBy !== undefined && killedDigest === this.digestOf(killedBy);
  }

  /** The test file that killed a mutant. */
  killerOf(mutant: Mutation): string | undefined {
    return this.isKilled(mutant) ? this.#mutantOf(mutant).killedBy : undefined;
  }

  /** `isWhole`: with all tests of the file. */
  hasSurvived(mutant: Mutation, test: string, isWhole: boolean): boolean {
    const survived = this.#mutantOf(mutant).survived[test];
    return survived === `${this.digestOf(test)}+` || (!isWhole && survived === this.digestOf(test));
  }

  add(line: Report): void {
    const digest = this.digestOf(line.test);
    switch (line.type) {
      case 'reached':
        this.#contents.tests[line.test] = {
          digest,
          milliseconds: Math.round(line.milliseconds),
          files: Object.fromEntries(
            Object.entries(line.files).map(([file, { loading, running }]) => [
              file,
              { digest: this.digestOf(file), loading: toBits(loading), running: toBits(running) },
            ]),
          ),
        };
        break;
      case 'unusable':
        this.#contents.tests[line.test] = { digest, milliseconds: 0, unusable: line.reason, files: {} };
        break;
      case 'killed':
        Object.assign(this.#mutantOf(line.mutant), { killedBy: line.test, killedDigest: digest, how: line.how });
        break;
      case 'survived':
        this.#mutantOf(line.mutant).survived[line.test] = line.whole ? `${digest}+` : digest;
        break;
    }
  }

  get unusable(): [test: string, reason: string][] {
    return Object.entries(this.#contents.tests).flatMap(([test, { unusable }]): [string, string][] =>
      unusable === undefined ? [] : [[test, unusable]],
    );
  }
}
