import { effect, signal } from '@preact/signals';
import { readStored, remember } from './storage.ts';

export type Theme = 'system' | 'light' | 'dark';
export type Zone = 'local' | 'utc';

const readChoice = <T extends string>(name: string, values: readonly [T, ...T[]]): T =>
  values.find((value) => value === readStored(name)) ?? values[0];

export const theme = signal<Theme>(readChoice('theme', ['system', 'light', 'dark']));
/** In which zone times are shown. */
export const zone = signal<Zone>(readChoice('zone', ['local', 'utc']));
/** True if single keys do something: WCAG 2.1.4 wants them to have a switch. */
export const hasShortcuts = signal(readStored('shortcuts') !== 'off');

/** Applies the preferences and keeps them. To be called once. */
export const followPreferences = (): void => {
  effect(() => {
    remember('theme', theme.value);
    document.documentElement.dataset['theme'] = theme.value;
  });
  effect(() => remember('zone', zone.value));
  effect(() => remember('shortcuts', hasShortcuts.value ? undefined : 'off'));
};
