import { askMinfraud } from './minfraud-client.ts';
import type { RemoteScorers } from './scorer.ts';

/** All scorers that are asked over the network, for `assess`. Rarely used ones are loaded when first asked. */
export const remoteScorers: RemoteScorers = {
  minfraud: askMinfraud,
  sift: async (subject, facts) => (await import('./sift-client.ts')).askSift(subject, facts),
};
