import { setClock } from '#core/kernel/clock.ts';
import type { State } from './state.ts';

/** The time every function of the local stack sees: the system's plus an offset that only grows, until it begins again. */
export type Clock = {
  /** Milliseconds since 1970. */
  now(): number;
  /** Returns how far it is from the system's clock. */
  offsetMilliseconds(): number;
  /** Moves it to an instant; one that has passed changes nothing. */
  moveTo(milliseconds: number): void;
  /** Steps to an instant on the way to a later one, without a report. */
  stepTo(milliseconds: number): void;
  /** Goes back to where a new data folder would begin. */
  beginAgain(): void;
  /** Calls back after each move. */
  onMove(listener: () => void): void;
};

/** Where the state has the offset. */
export const clockOffsetKey = 'clock-offset';

/** Opens the clock where it was left; in a new data folder it starts at `startTime`, or with the system's. */
export const openClock = (state: State, startTime?: number): Clock => {
  const kept = state.get(clockOffsetKey);
  const firstOffset = () => (startTime === undefined ? 0 : startTime - Date.now());
  let offset = kept === undefined ? firstOffset() : Number(kept);
  state.set(clockOffsetKey, String(offset));
  const now = () => Date.now() + offset;
  const listeners: (() => void)[] = [];
  setClock(now);
  const set = (to: number) => {
    offset = to;
    state.set(clockOffsetKey, String(offset));
  };
  const stepTo = (milliseconds: number) => {
    if (milliseconds > now()) set(milliseconds - Date.now());
  };
  const tell = () => {
    for (const listener of listeners) listener();
  };
  return {
    now,
    offsetMilliseconds: () => offset,
    stepTo,
    moveTo: (milliseconds) => {
      stepTo(milliseconds);
      tell();
    },
    beginAgain: () => {
      set(firstOffset());
      tell();
    },
    onMove: (listener) => void listeners.push(listener),
  };
};
