import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { useFetched } from '../parts/fetched.tsx';
import { Trouble } from '../parts/trouble.tsx';

type Dialogs = typeof import('./answer-dialogs.ts');
const held: { value?: Dialogs } = {};
const load = (): Promise<Dialogs> => import('./answer-dialogs.ts');

const afterMilliseconds = 1000;

/** Fetches the dialogs a moment after a screen is shown, so that they open at once and while one is offline. */
export const useDialogsAhead = (): void =>
  useEffect(() => {
    if (held.value) return undefined;
    const keep = (dialogs: Dialogs) => {
      held.value = dialogs;
    };
    // A dialog that is opened fetches it again, and says what failed.
    const timer = setTimeout(() => void load().then(keep, () => undefined), afterMilliseconds);
    return () => clearTimeout(timer);
  }, []);

/** One of the dialogs, as soon as it is there. */
export const Later = ({ children }: { children: (dialogs: Dialogs) => JSX.Element }) => {
  const { value, error, again } = useFetched(held, load);
  return value ? children(value) : <Trouble error={error} onRetry={again} />;
};
