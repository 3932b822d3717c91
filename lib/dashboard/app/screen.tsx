import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { useShortcuts } from './shortcuts.ts';

/** How many alerts wait: it stands in the window's title, wherever one is. */
export const waiting = signal(0);

let hasShownOne = false;

type ScreenProps = {
  title: string;
  /** What stands above the title: where one is. */
  from?: { label: string; href: string };
  actions?: ComponentChildren;
  lede?: ComponentChildren;
  children: ComponentChildren;
};

/** The frame of a screen: its title, which gets the focus when one comes here, and what can be done. */
export const Screen = ({ title, from, actions, lede, children }: ScreenProps) => {
  const heading = useRef<HTMLHeadingElement>(null);
  const count = waiting.value;
  useEffect(() => {
    document.title = `${count > 0 ? `(${count}) ` : ''}${title} · Forewarn`;
  }, [title, count]);
  useEffect(() => {
    // The first screen is where the browser begins anyway.
    if (hasShownOne) heading.current?.focus();
    hasShownOne = true;
  }, []);
  useShortcuts({ ...(from && { back: () => location.assign(from.href) }) });
  return (
    <main id="main" class="screen">
      <header class="head">
        <div>
          {from && (
            <a class="from" href={from.href}>
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
