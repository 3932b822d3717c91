import { runProgram } from '#lib/local/command.ts';
import { secret } from './commands/secret.ts';

await runProgram(secret);
