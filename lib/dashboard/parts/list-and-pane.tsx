import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { address, link } from '../app/address.ts';
import { useScreen } from '../app/screen.tsx';

type Props = {
  /** The window's title, and the link from the open row back to the list. */
  title: string;
  /** The heading, where it says more. */
  heading?: string | undefined;
  /** The field of the address that names the open row. */
  field: string;
  list: (heading: ComponentChildren) => ComponentChildren;
  /** All about the open row; absent: there is none. */
  pane: ComponentChildren;
  /** Shown in place of the pane. */
  none: ComponentChildren;
};

/** A list on the left, and all about one of its rows on the right; where there is no room, one after the other. */
export const ListAndPane = ({ title, heading: words = title, field, list, pane, none }: Props) => {
  const { path, query } = address.value;
  const isChosen = query.has(field);
  const back = link(path, { ...Object.fromEntries(query), [field]: undefined });
  const heading = useScreen(title, isChosen ? back : undefined);
  const way = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    // Where there is room for one of the two, the focused row is hidden now.
    const focused = document.activeElement;
    if (isChosen && focused instanceof HTMLElement && focused.offsetParent === null) way.current?.focus();
  }, [isChosen]);
  return (
    <main id="main" class={`screen queue${isChosen ? ' chosen' : ''}`}>
      <div class="list">
        {list(
          <h1 ref={heading} tabIndex={-1} class={words === title ? undefined : 'long'}>
            {words}
          </h1>,
        )}
      </div>
      <div class="detail">
        {isChosen && (
          <a class="from" ref={way} href={back}>
            {title}
          </a>
        )}
        {pane ?? <div class="empty">{none}</div>}
      </div>
    </main>
  );
};
