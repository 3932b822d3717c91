import { runProgram } from '#lib/local/command.ts';
import { user } from './commands/user.ts';

await runProgram(user);
