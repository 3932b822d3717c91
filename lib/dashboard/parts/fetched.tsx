import { useEffect, useState } from 'preact/hooks';
import { unreachable } from '../app/transport.ts';

export type Fetched<T> = { value?: T | undefined; error?: unknown; again: () => void };

/** How often a part that could not be fetched is tried again; it also is when the connection is back. */
const retryMilliseconds = 5000;

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
  const hasFailed = state.error !== undefined;
  useEffect(() => {
    if (!hasFailed) return undefined;
    const timer = setInterval(again, retryMilliseconds);
    addEventListener('online', again);
    return () => {
      clearInterval(timer);
      removeEventListener('online', again);
    };
  }, [hasFailed]);
  return { ...state, again };
};
