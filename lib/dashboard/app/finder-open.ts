import { signal } from '@preact/signals';
import type { MutableRef } from 'preact/hooks';
import type { Target } from './palette-targets.ts';

/** The text with which the search opens; undefined: it is closed. */
export const finderText = signal<string | undefined>(undefined);

/** One thing that can be chosen. `act`: what it does, where it does not lead to a screen. */
export type Choice = { key: string; href: string; act?: () => void };
/** The state of the results for the field: the choices, and that the text waits for Enter. */
export type FinderHandle = { choices: readonly Choice[]; isHeld: boolean };
export type FinderProps = {
  text: string;
  /** A text on which the reader has pressed Enter: it is sent although it may be a card number, and else its first result opens when it is there. */
  sent: string;
  active: number;
  screens: readonly Target[];
  handle: MutableRef<FinderHandle>;
  onChoose: (choice: Choice) => void;
};
