import { useEffect, useState } from 'preact/hooks';
import { unreachable } from '../app/transport.ts';
import { useRetry } from './load.ts';

export type Fetched<T> = { value?: T | undefined; error?: unknown; again: () => void };

/** A part with its code in a file of its own: fetched when it is first needed, and kept in `held` from then on. */
export const useFetched = <T,>(held: { value?: T }, load: () => Promise<T>): Fetched<T> => {
  const [state, setState] = useState<{ value?: T | undefined; error?: unknown }>({ value: held.value });
  const again = () =>
    void load().then(
      (value) => {
        held.value = value;
        // In an object: what is fetched may be a function, which a setter would call.
        setState({ value });
      },
      () => setState({ error: unreachable() }),
    );
  useEffect(() => {
    if (held.value === undefined) again();
  }, []);
  useRetry(state.error !== undefined, again);
  return { ...state, again };
};
