import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { lastLink } from './address.ts';
import { useShortcuts } from './shortcuts.ts';

/** How many alerts wait: it stands in the window's title, wherever one is. */
export const waiting = signal(0);

let hasShownOne = false;

/** What had the focus may go away, as a button does once there is nothing more to do: then the screen's title has it. */
const useFocusKept = (heading: { current: HTMLElement | null }): void =>
  useEffect(() => {
    const screen = heading.current?.closest('main');
    if (!screen) return undefined;
    let last: EventTarget | null = null;
    const note = ({ target }: FocusEvent) => {
      last = target;
    };
    const isGone = () => last instanceof Element && !last.isConnected && document.activeElement === document.body;
    const observer = new MutationObserver(() => {
      if (isGone()) heading.current?.focus({ preventScroll: true });
    });
    screen.addEventListener('focusin', note);
    observer.observe(screen, { childList: true, subtree: true });
    return () => {
      screen.removeEventListener('focusin', note);
      observer.disconnect();
    };
  }, []);

type ScreenProps = {
  title: string;
  /** What stands above the title: where one is. */
  from?: { label: string; href: string };
  actions?: ComponentChildren;
  lede?: ComponentChildren;
  children: ComponentChildren;
};

/**
 * What every screen does: names the window, gives its heading the focus when one comes here, and goes back by a key. Returns what its
 * heading is referred to by.
 */
export const useScreen = (title: string, back?: string | undefined) => {
  const heading = useRef<HTMLHeadingElement>(null);
  const count = waiting.value;
  useEffect(() => {
    document.title = `${count > 0 ? `(${count}) ` : ''}${title} · Forewarn`;
  }, [title, count]);
  // Before it is drawn: a Tab pressed as soon as it is seen goes on from the title.
  useLayoutEffect(() => {
    // The first screen is where the browser begins anyway.
    if (hasShownOne) heading.current?.focus();
    hasShownOne = true;
  }, []);
  useFocusKept(heading);
  useShortcuts({ ...(back && { back: () => location.assign(back) }) });
  return heading;
};

/** The frame of a screen: its title, and what can be done. */
export const Screen = ({ title, from, actions, lede, children }: ScreenProps) => {
  // A list is come back to as it was left.
  const back = from && (from.href.includes('?') ? from.href : lastLink(from.href.slice(1)));
  const heading = useScreen(title, back);
  return (
    <main id="main" class="screen">
      <header class="head">
        <div>
          {from && (
            <a class="from" href={back}>
              {from.label}
            </a>
          )}
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {lede && <p class="lede">{lede}</p>}
        </div>
        {actions && <div class="buttons">{actions}</div>}
      </header>
      {children}
    </main>
  );
};
