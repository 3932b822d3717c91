import type { Reporter, TestModule } from 'vitest/node';

const shown = 10;

/** Prints the files that took longest, so that whoever makes one slow sees it. */
export default class SlowestFiles implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    if (modules.length <= shown) return;
    const slowest = modules.map(lineOf).sort((one, other) => other.seconds - one.seconds);
    const lines = slowest.slice(0, shown).map(({ seconds, file }) => `${seconds.toFixed(1).padStart(8)} s  ${file}`);
    process.stdout.write(`\n The ${shown} slowest of ${modules.length} files\n${lines.join('\n')}\n`);
  }
}

/** With what it took to load the file and to set it up. */
const lineOf = (module: TestModule): { seconds: number; file: string } => {
  const { collectDuration, duration, setupDuration } = module.diagnostic();
  return { seconds: (collectDuration + duration + setupDuration) / 1000, file: module.relativeModuleId };
};
