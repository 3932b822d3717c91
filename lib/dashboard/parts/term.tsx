import type { ComponentChildren } from 'preact';
import { link } from '../app/address.ts';

/** The terms that the help explains. */
export type TermName = 'alert' | 'deadline' | 'reason-code' | 'delivery' | 'payment' | 'held' | 'rule';

/** A word that leads to its meaning in the help. */
export const Term = ({ name, children }: { name: TermName; children: ComponentChildren }) => (
  <a class="term" href={link('/help', { term: name })}>
    {children}
  </a>
);
