import { readFileSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';

const shown = 10;

/** Clock ticks of Linux in a second. */
const ticks = 100;

/** Seconds of processor that this process and the programs it started have used, as far as those have ended; undefined outside Linux. */
const cpuSeconds = (): number | undefined => {
  try {
    const [, fields = ''] = readFileSync('/proc/self/stat', 'utf8').split(') ');
    const used = fields.split(' ').slice(11, 15).map(Number);
    return used.reduce((sum, one) => sum + one, 0) / ticks;
  } catch {
    return undefined;
  }
};

/** Prints the files that took longest, so that whoever makes one slow sees it, and at the end of the run its processor time. */
export default class SlowestFiles implements Reporter {
  onInit(): void {
    process.once('exit', () => {
      const seconds = cpuSeconds();
      if (seconds !== undefined) process.stdout.write(` Processor time: ${seconds.toFixed(0)} s\n`);
    });
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    if (modules.length <= shown) return;
    const slowest = modules.map(timeLine).sort((one, other) => other.seconds - one.seconds);
    const lines = slowest.slice(0, shown).map(({ seconds, file }) => `${seconds.toFixed(1).padStart(8)} s  ${file}`);
    process.stdout.write(`\n The ${shown} slowest of ${modules.length} files\n${lines.join('\n')}\n`);
  }
}

/** With what it took to load the file and to set it up. */
const timeLine = (module: TestModule): { seconds: number; file: string } => {
  const { collectDuration, duration, setupDuration } = module.diagnostic();
  return { seconds: (collectDuration + duration + setupDuration) / 1000, file: module.relativeModuleId };
};
