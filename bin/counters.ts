import { runProgram } from '#lib/local/command.ts';
import { counters } from './commands/counters.ts';

await runProgram(counters());
