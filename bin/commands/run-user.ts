import { Readable } from 'node:stream';
import { UserError } from '#lib/local/user-error.ts';
import { user } from './user.ts';

/** Runs a command for users, and returns what it prints as JSON. Throws UserError if it fails. */
export const runUser = async (args: string[]): Promise<Readonly<Record<string, unknown>>> => {
  let printed = '';
  const terminal = {
    stdin: Readable.from([]),
    stdout: { write: (text: string) => (printed += text) },
    stderr: process.stderr,
  };
  if ((await user([...args, '--json'], terminal)) !== 0)
    throw new UserError('The command for users failed; see above.');
  return Object(JSON.parse(printed));
};
