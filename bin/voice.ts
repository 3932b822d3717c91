import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { hitsOfFile } from '#lib/build/voice.ts';
import { printJson } from '#lib/local/command.ts';

/**
 * `npm run voice -- [file…]` prints passages that are hard to read; `--json` prints them as JSON. `--lower` writes test/voice-limits.json, the number of such passages that each
 * file may have, where a file has fewer now; a limit never rises.
 */
const limitsFile = 'test/voice-limits.json';
const args = process.argv.slice(2);
const listFiles = () =>
  execFileSync('git', ['ls-files', '*.ts', '*.tsx', '*.md'], { encoding: 'utf8' }).trim().split('\n');
const named = args.filter((arg) => !arg.startsWith('--'));

if (args.includes('--lower')) {
  const limits: Readonly<Record<string, number>> = JSON.parse(readFileSync(limitsFile, 'utf8'));
  const lowered = listFiles().flatMap((file) => {
    const count = hitsOfFile(file, readFileSync(file, 'utf8')).length;
    const limit = Math.min(count, limits[file] ?? 0);
    return limit > 0 ? [[file, limit] as const] : [];
  });
  writeFileSync(limitsFile, `${JSON.stringify(Object.fromEntries(lowered), null, 2)}\n`);
} else {
  const files = named.length > 0 ? named : listFiles();
  const hits = files.flatMap((file) => hitsOfFile(file, readFileSync(file, 'utf8')).map((hit) => ({ file, ...hit })));
  if (args.includes('--json')) printJson({ hits });
  else
    for (const { file, line, text, instead } of hits)
      process.stdout.write(`${file}:${line} ${text.slice(0, 120)}  [${instead}]\n`);
}
