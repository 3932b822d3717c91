/** The settings that this browser remembers. None of them is secret; a browser that forbids storage forgets them. */

const prefix = 'forewarn.';

export const readStored = (name: string): string | undefined => {
  try {
    return localStorage.getItem(prefix + name) ?? undefined;
  } catch {
    return undefined;
  }
};

export const remember = (name: string, value: string | undefined): void => {
  try {
    if (value === undefined) localStorage.removeItem(prefix + name);
    else localStorage.setItem(prefix + name, value);
  } catch {
    // Private windows of some browsers have no storage.
  }
};

/** Reads something kept as JSON; `fallback` where there is nothing or nothing readable. */
export const rememberedJson = <T>(name: string, isOne: (value: unknown) => value is T, fallback: T): T => {
  try {
    const value: unknown = JSON.parse(readStored(name) ?? 'null');
    return isOne(value) ? value : fallback;
  } catch {
    return fallback;
  }
};
