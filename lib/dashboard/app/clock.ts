import { signal } from '@preact/signals';

/** The time by which the service's clock is ahead of this machine's: deadlines follow the service's. */
let aheadMilliseconds = 0;

export const setServiceTime = (time: number | undefined): void => {
  if (time === undefined) return;
  const ahead = time - Date.now();
  // Tokens count in whole seconds, and answers take a moment: what is less is no difference.
  aheadMilliseconds = Math.abs(ahead) < 5000 ? 0 : ahead;
  minute.value = serviceNow();
};

/** The service's time, in milliseconds. */
export const serviceNow = (): number => Date.now() + aheadMilliseconds;

/** The service's time, which changes once a minute: what counts down looks at it. */
export const minute = signal(serviceNow());

/** Lets the minutes pass. To be called once. */
export const followTime = (): void => {
  setInterval(() => {
    minute.value = serviceNow();
  }, 60_000);
};
