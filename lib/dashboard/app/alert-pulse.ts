import { effect, signal } from '@preact/signals';
import { ofMerchant } from './merchant.ts';
import { askPulse } from './operations.ts';
import { waiting } from './screen.tsx';
import { user } from './session.ts';

/** A text that changes when an alert arrives or changes its status; undefined before the first request. */
export const revision = signal<string | undefined>(undefined);

const quickMilliseconds = 15_000;
const slowMilliseconds = 60_000;
/** For so long after the last touch the pulse is quick. */
const usedMilliseconds = 5 * 60_000;
/** After this time without an input the person is away, and further requests would keep their session alive. */
const leftMilliseconds = 30 * 60_000;

let usedAt = Date.now();
let timer: ReturnType<typeof setTimeout> | undefined;

const sinceUsed = (): number => Date.now() - usedAt;
const isWanted = (): boolean => document.visibilityState === 'visible' && sinceUsed() < leftMilliseconds;

const beat = async (): Promise<void> => {
  clearTimeout(timer);
  if (!user.peek()) return;
  if (isWanted()) {
    try {
      const { open, revision: next } = await askPulse({ body: ofMerchant() });
      waiting.value = open;
      revision.value = next;
    } catch {
      // The shown data stays; the next request reports the problem.
    }
  }
  clearTimeout(timer);
  timer = setTimeout(() => void beat(), sinceUsed() < usedMilliseconds ? quickMilliseconds : slowMilliseconds);
};

/** Checks from time to time for changes, as long as a person is signed in and active. To be called once. */
export const followPulse = (): void => {
  for (const event of ['pointerdown', 'keydown']) {
    addEventListener(
      event,
      () => {
        const wasAway = !isWanted();
        usedAt = Date.now();
        if (wasAway) void beat();
      },
      { passive: true },
    );
  }
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') void beat();
  });
  effect(() => {
    // Another person, or another merchant: its own figures.
    void [user.value, ofMerchant().mid];
    void beat();
  });
};
