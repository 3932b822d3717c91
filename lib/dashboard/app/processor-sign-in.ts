import { readStored, remember } from './storage.ts';

/** The answer of a processor at which a person has signed in. `code`: null if they did not complete it. */
export type ProcessorAnswer = { kind: string; state: string; code: string | null };

/** The service begins the states of these sign-ins with this, and no others. */
const prefix = 'connection.';
let answer: ProcessorAnswer | undefined;

/** Sends the person to a processor, which returns them to the dashboard. */
export const goToProcessor = (kind: string, url: string): void => {
  remember('processor', kind);
  location.assign(url);
};

/** Keeps a processor's answer in the address for the screen of connections, goes there, and removes it from the address. */
export const keepProcessorAnswer = (): void => {
  const query = new URLSearchParams(location.search);
  const state = query.get('state');
  if (!state?.startsWith(prefix)) return;
  answer = { kind: readStored('processor') ?? '', state, code: query.get('code') };
  history.replaceState(null, '', `${location.pathname}#/connections`);
};

/** Returns the kept answer once. */
export const takeProcessorAnswer = (): ProcessorAnswer | undefined => {
  const taken = answer;
  answer = undefined;
  return taken;
};
