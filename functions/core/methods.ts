import { Refusal } from './errors.ts';
import type { Operation } from './operation.ts';

type Methods = Pick<Operation, 'method' | 'otherMethods'>;

/** What the path of an operation takes: HEAD wherever GET. */
export const methodsAt = ({ method, otherMethods = [] }: Methods): string[] =>
  [method, ...otherMethods].flatMap((one) => (one === 'GET' ? ['GET', 'HEAD'] : [one]));

/** Whether a call asks what a GET would answer, without the body. */
export const isHead = ({ method }: Pick<Operation, 'method'>, called: string): boolean =>
  method === 'GET' && called === 'HEAD';

/** Refuses a method that is not the operation's. The gateway sends it every method that the path does not take otherwise. */
export const refuseOtherMethods = (operation: Methods, called: string): void => {
  if (called === operation.method || isHead(operation, called)) return;
  const allowed = methodsAt(operation);
  throw new Refusal('method_not_allowed', `Call it with ${allowed.join(' or ')}.`, {
    headers: { allow: allowed.join(', ') },
  });
};
