import { signal } from '@preact/signals';
import { user } from './session.ts';
import { readStored, remember } from './storage.ts';

/** Which merchant an operator looks at; undefined: all of them. Merchants' own people have no choice. */
export type Chosen = { mid: number; name: string };

const isChosen = (value: unknown): value is Chosen =>
  typeof value === 'object' && value !== null && 'mid' in value && 'name' in value && typeof value.mid === 'number';

const readKept = (): Chosen | undefined => {
  try {
    const value: unknown = JSON.parse(readStored('merchant') ?? 'null');
    return isChosen(value) ? value : undefined;
  } catch {
    return undefined;
  }
};

const chosen = signal<Chosen | undefined>(readKept());

export const isOperator = (): boolean => user.value?.scope === 'admin';

/** The merchant that an operator has chosen. */
export const chosenMerchant = (): Chosen | undefined => (isOperator() ? chosen.value : undefined);

export const chooseMerchant = (merchant: Chosen | undefined): void => {
  chosen.value = merchant;
  remember('merchant', merchant && JSON.stringify(merchant));
};

/** Returns the merchant that a screen shows, as lists accept it: nothing where all may be seen, or where the token decides. */
export const ofMerchant = (): { mid?: number } => {
  const mid = chosenMerchant()?.mid;
  return mid === undefined ? {} : { mid };
};

/** The merchant whose people look, or whom an operator has chosen; undefined for an operator of all. */
export const presentMid = (): number | undefined => (isOperator() ? chosen.value?.mid : (user.value?.mid ?? undefined));
