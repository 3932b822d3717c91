import { cpus, loadavg, totalmem } from 'node:os';
import pc from 'picocolors';

/** The output of the bench: progress and results. */

export const isTerminal = process.stderr.isTTY === true;

/** Prints the progress on one line; nothing where the output is not a terminal. */
export const progress = (text: string): void => {
  if (isTerminal) process.stderr.write(`\r\x1b[K${pc.dim(text)}`);
};

/** Says what is begun. */
export const step = (text: string): void => {
  if (isTerminal) progress(`${text} …`);
  else process.stderr.write(`${text} …\n`);
};

export const milliseconds = (value: number) => `${value.toFixed(1)} ms`;
export const ratio = (value: number) => value.toFixed(2);
export const whole = (value: number) => value.toLocaleString('en');

/** Returns the machine of the measurement. */
export const machine = () => {
  const [{ model = 'unknown processor' } = {}] = cpus();
  const memory = `${Math.round(totalmem() / 2 ** 30)} GB`;
  const load = loadavg()[0]?.toFixed(1);
  return `Node ${process.version} on ${process.platform} ${process.arch}, ${cpus().length} × ${model}, ${memory}, load ${load} at the start`;
};
