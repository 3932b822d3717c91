import { signal } from '@preact/signals';

/** The result of an answer to one of many alerts. `name`: as people name it. */
export type Result = { id: number; name: string; outcome: 'done' | 'refused' | 'left'; words: string };

export type Shown = { results: readonly Result[]; what: 'answered' | 'refunded' };

/** The results of an answer to many alerts that are shown in a dialog; undefined: none are. */
export const bulkShown = signal<Shown | undefined>(undefined);
