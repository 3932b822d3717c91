import { signal } from '@preact/signals';

/** The text with which the search opens; undefined: it is closed. */
export const finderText = signal<string | undefined>(undefined);
