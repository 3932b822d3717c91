import { Refusal } from './errors.ts';
import type { Operation } from './operation.ts';

type Methods = Pick<Operation, 'method' | 'otherMethods'>;

/** The methods that an operation's path takes: HEAD wherever GET. */
const methodsAt = ({ method, otherMethods = [] }: Methods): string[] =>
  [method, ...otherMethods].flatMap((one) => (one === 'GET' ? ['GET', 'HEAD'] : [one]));

/** Checks whether a call is a HEAD for an operation that takes GET. */
export const isHead = ({ method }: Pick<Operation, 'method'>, called: string): boolean =>
  method === 'GET' && called === 'HEAD';

/** Refuses a method that is not the operation's. The gateway sends an operation all methods that no other operation takes at its path. */
export const refuseOtherMethods = (operation: Methods, called: string): void => {
  if (called === operation.method || isHead(operation, called)) return;
  const allowed = methodsAt(operation);
  throw new Refusal('method_not_allowed', `Call it with ${allowed.join(' or ')}.`, {
    headers: { allow: allowed.join(', ') },
  });
};
