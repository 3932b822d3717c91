import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { translate } from '../language/translate.ts';
import { Button } from '../parts/button.tsx';
import { say } from './messages.tsx';
import { useShortcuts } from './shortcuts.ts';

/** The time for which an answer can be undone before it is sent. */
export const undoMilliseconds = 10_000;

type Decided = {
  /** The alerts that it answers. Lists hide them until it is sent or undone. */
  alerts: readonly number[];
  /** The announced action, such as `Refunding $64.00 to Visa •••• 0259`. */
  text: string;
  detail: string;
  /** Sends it and returns the message to show, or nothing if it shows the result itself. */
  send: () => Promise<string | undefined>;
};
type Pending = Decided & { id: number; timer: ReturnType<typeof setTimeout> };

const pending = signal<readonly Pending[]>([]);
let given = 0;

/** Alerts whose answer waits to be sent, or is being sent. */
export const beingAnswered = signal<ReadonlySet<number>>(new Set());
/** Changes when an answer was sent, undone or refused, so that lists are read again. */
export const answersSent = signal(0);

const release = (alerts: readonly number[]): void => {
  beingAnswered.value = new Set([...beingAnswered.peek()].filter((id) => !alerts.includes(id)));
  answersSent.value += 1;
};

const take = (id: number): Pending | undefined => {
  const found = pending.peek().find((one) => one.id === id);
  if (found) clearTimeout(found.timer);
  pending.value = pending.peek().filter((one) => one !== found);
  return found;
};

const sendNow = async (id: number): Promise<void> => {
  const found = take(id);
  if (!found) return;
  try {
    const text = await found.send();
    if (text) say(text);
  } catch (error) {
    const why = error instanceof Error ? errorWords(error) : String(error);
    say(translate('{what}: this was not done. {why}', { what: found.text, why }), 'bad');
  } finally {
    release(found.alerts);
  }
};

const errorWords = (error: Error): string =>
  'details' in error && error.details ? `${error.message}: ${error.details}` : error.message;

const undo = (id: number): void => {
  const found = take(id);
  if (!found) return;
  release(found.alerts);
  say(translate('Undone. Nothing was sent.'), 'plain');
};

/** Sends an answer after ten seconds in which it can be undone. */
export const decide = (decided: Decided): void => {
  given += 1;
  const id = given;
  const timer = setTimeout(() => void sendNow(id), undoMilliseconds);
  beingAnswered.value = new Set([...beingAnswered.peek(), ...decided.alerts]);
  pending.value = [...pending.peek(), { ...decided, id, timer }];
};

/** Sends all pending answers at once, before the user signs out. */
export const sendAllDecided = async (): Promise<void> => {
  await Promise.all(pending.peek().map(({ id }) => sendNow(id)));
};

/** The toasts of pending answers, each with its Undo button. */
export const Undoable = () => {
  const waiting = pending.value;
  const last = waiting.at(-1);
  useShortcuts(last ? { undo: () => undo(last.id), sendNow: () => void sendNow(last.id) } : {});
  const isAny = waiting.length > 0;
  useEffect(() => {
    if (!isAny) return undefined;
    // The browser asks before it leaves the page, because pending answers would be lost.
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isAny]);
  return (
    <>
      {waiting.map(({ id, text, detail }) => (
        <div class="message" key={id}>
          <svg class="countdown" viewBox="0 0 38 38" aria-hidden="true" focusable="false">
            <circle cx="19" cy="19" r="17" />
            <circle class="run" cx="19" cy="19" r="17" pathLength={100} />
          </svg>
          <p class="grow">
            {text}
            <small>{detail}</small>
          </p>
          <div class="buttons">
            <Button look="bare" title={translate('Key S')} onPress={() => sendNow(id)}>
              {translate('Send now')}
            </Button>
            <Button title={translate('Key Z')} onPress={() => undo(id)}>
              {translate('Undo')}
            </Button>
          </div>
        </div>
      ))}
    </>
  );
};
