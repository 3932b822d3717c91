import type { Check } from '#payments/processors/ports/connected-processor.ts';
import type { Connection } from './connection.ts';

/** The result of testing a connection, in words. Undefined: its credentials could not even be read. */
export const toConnectionCheckDto = ({ id, kind }: Connection, check: Check | undefined) => {
  if (check?.isWorking) return { id, works: true, problem: null, missing: [], msg: `The connection to ${kind} works.` };
  if (!check) {
    const msg = 'The stored credentials cannot be used. Set them again.';
    return { id, works: false, problem: 'credentials' as const, missing: [], msg };
  }
  const { problem, missing, detail } = check;
  const rights = missing.length > 0 ? ` Missing: ${missing.join('; ')}.` : '';
  const isRight = problem === 'credentials';
  const advice = isRight ? (missing.length > 0 ? '' : ' Set the right one.') : ' Try again later.';
  return {
    id,
    works: false,
    problem: isRight ? ('credentials' as const) : ('unavailable' as const),
    missing: [...missing],
    msg: `${detail}${rights}${advice}`,
  };
};
