import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { lastLink } from '../app/address.ts';
import { useScreen } from '../app/screen.tsx';
import { translate } from '../language/translate.ts';
import { Trouble } from './trouble.tsx';
import { Waiting } from './waiting.tsx';

/** Shows the words as the heading of the container; `named`: the title of the window, where the pane is a page. */
export type Heading = (words: string, named?: string) => ComponentChildren;

type PaneProps = {
  heading: ComponentChildren;
  /** Before the heading: the time left. */
  ring?: ComponentChildren;
  /** Below the heading. */
  about?: ComponentChildren;
  sum?: string;
  main: ComponentChildren;
  side?: ComponentChildren;
  /** The next step. */
  foot?: ComponentChildren;
};

/** All about one thing: what it is, what to do first, then why; what can be done is at the bottom. */
export const Pane = ({ heading, ring, about, sum, main, side, foot }: PaneProps) => (
  <div class="pane">
    <header class="pane-head">
      {ring}
      <div class="grow">
        {heading}
        {about && <p class="quiet small">{about}</p>}
      </div>
      {sum && <p class="sum">{sum}</p>}
    </header>
    <div class={`pane-body${side ? '' : ' whole'}`}>
      <div class="pane-main">{main}</div>
      {side}
    </div>
    {foot}
  </div>
);

type FootProps = {
  /** Absent: there is nothing to do. */
  words?: string | undefined;
  children?: ComponentChildren;
};

/** The next step, or a sentence that there is none. */
export const PaneFoot = ({ words, children }: FootProps) => (
  <section class="verbs next" aria-label={translate('What to do')}>
    <p>{words ?? <b>{translate('Nothing to do here.')}</b>}</p>
    <div class="buttons">{children}</div>
  </section>
);

/** The same while it is read. */
export const PaneWaiting = ({
  heading,
  error,
  onRetry,
}: {
  heading: ComponentChildren;
  error: unknown;
  onRetry: () => void;
}) => <Pane heading={heading} main={error ? <Trouble error={error} onRetry={onRetry} /> : <Waiting />} />;

type PageProps = {
  /** The list that it belongs to. */
  path: string;
  label: string;
  /** The title of the window until the pane names it. */
  title: string;
  pane: (heading: Heading) => ComponentChildren;
};

/** A pane on a page of its own, to which e-mails and other screens link. */
export const PanePage = ({ path, label, title: first, pane }: PageProps) => {
  const [title, setTitle] = useState(first);
  const back = lastLink(path);
  const heading = useScreen(title, back);
  return (
    <main id="main" class="screen alert-page">
      <a class="from" href={back}>
        {label}
      </a>
      {pane((words, named = words) => {
        if (named !== title) queueMicrotask(() => setTitle(named));
        return (
          <h1 ref={heading} tabIndex={-1}>
            {words}
          </h1>
        );
      })}
    </main>
  );
};
