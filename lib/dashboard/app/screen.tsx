import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { lastLink } from './address.ts';
import { useShortcuts } from './shortcuts.ts';

/** The number of waiting alerts, which the window's title shows. */
export const waiting = signal(0);

let hasShownOne = false;

/** The focused element may disappear, as a button does once there is nothing more to do: then the screen's title gets the focus. */
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
  /** The heading, where it says more than the window's title. */
  heading?: string | undefined;
  /** Above the heading. */
  above?: ComponentChildren;
  /** The link above the title: the parent screen. */
  from?: { label: string; href: string };
  actions?: ComponentChildren;
  lede?: ComponentChildren;
  children: ComponentChildren;
};

/** Sets the window's title, focuses the heading on entry, and returns by a key. Returns the id of the heading. */
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
export const Screen = ({ title, heading: words = title, above, from, actions, lede, children }: ScreenProps) => {
  // A list is shown again in its last state.
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
          {above && <p class="quiet small">{above}</p>}
          <h1 ref={heading} tabIndex={-1}>
            {words}
          </h1>
          {lede && <p class="lede">{lede}</p>}
        </div>
        {actions && <div class="buttons">{actions}</div>}
      </header>
      {children}
    </main>
  );
};
