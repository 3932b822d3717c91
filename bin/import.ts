import { runProgram } from '#lib/local/command.ts';
import { imports } from './commands/imports.ts';

await runProgram(imports);
