import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { ServiceError } from '../app/transport.ts';

/** Checks whether the part that asks is still shown. */
export const useAlive = (): (() => boolean) => {
  const alive = useRef(true);
  useEffect(() => {
    alive.current = true;
    return () => {
      alive.current = false;
    };
  }, []);
  return useCallback(() => alive.current, []);
};

/** Tries again while the service cannot be reached: every 15 seconds, and when the connection is back. */
export const useRetry = (isUnreachable: boolean, tryAgain: () => void): void => {
  useEffect(() => {
    if (!isUnreachable) return undefined;
    const timer = setInterval(tryAgain, 15_000);
    addEventListener('online', tryAgain);
    return () => {
      clearInterval(timer);
      removeEventListener('online', tryAgain);
    };
  }, [isUnreachable]);
};

export type Loaded<T> = {
  /** The last loaded data, also while it is loaded again. */
  data: T | undefined;
  error: unknown;
  isLoading: boolean;
  reload: () => void;
};

/** Loads something when a part is shown, and again when `key` changes; a late result for another key is dropped. */
export const useLoad = <T>(key: string | null, load: (signal: AbortSignal) => Promise<T>): Loaded<T> => {
  const [state, setState] = useState<{ key: string | null; data?: T; error?: unknown; isLoading: boolean }>({
    key,
    isLoading: key !== null,
  });
  const [times, setTimes] = useState(0);
  const held = useRef(load);
  held.current = load;
  // Before what is there is drawn: on a slow machine that takes a part of the time that the answer does.
  useLayoutEffect(() => {
    if (key === null) return undefined;
    const controller = new AbortController();
    setState((before) =>
      before.key === key && before.isLoading ? before : { ...(before.key === key && before), key, isLoading: true },
    );
    held.current(controller.signal).then(
      (data) => !controller.signal.aborted && setState({ key, data, isLoading: false }),
      (error: unknown) =>
        !controller.signal.aborted && setState((before) => ({ ...before, key, error, isLoading: false })),
    );
    return () => controller.abort();
  }, [key, times]);
  const reload = useCallback(() => setTimes((before) => before + 1), []);
  useRetry(state.error instanceof ServiceError && state.error.status === 0, reload);
  const isOf = state.key === key;
  return {
    data: isOf ? state.data : undefined,
    error: isOf ? state.error : undefined,
    isLoading: !isOf || state.isLoading,
    reload,
  };
};
