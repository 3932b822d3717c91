/** The answer of a processor at which a person has signed in. `code`: null if they did not complete it. */
export type ProcessorAnswer = { kind: string; state: string; code: string | null };

/** The service begins only the states of these sign-ins like this, with the kind of the connection. */
const stateShape = /^connection\.(\w+)\./;
let answer: ProcessorAnswer | undefined;

/** Keeps a processor's answer in the address for the screen of connections, goes there, and removes it from the address. */
export const keepProcessorAnswer = (): void => {
  const query = new URLSearchParams(location.search);
  const state = query.get('state');
  const kind = stateShape.exec(state ?? '')?.[1];
  if (state === null || kind === undefined) return;
  answer = { kind, state, code: query.get('code') };
  history.replaceState(null, '', `${location.pathname}#/connections`);
};

/** Returns the kept answer once. */
export const takeProcessorAnswer = (): ProcessorAnswer | undefined => {
  const taken = answer;
  answer = undefined;
  return taken;
};
