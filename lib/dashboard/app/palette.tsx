import { useEffect, useRef, useState } from 'preact/hooks';
import { translate } from '../language/translate.ts';
import { Dialog } from '../parts/dialog.tsx';
import { useFetched } from '../parts/fetched.tsx';
import { SearchIcon } from '../parts/icons.tsx';
import { Trouble } from '../parts/trouble.tsx';
import { lastLink } from './address.ts';
import { type Choice, type FinderHandle, finderText } from './finder-open.ts';
import type { Target } from './palette-targets.ts';

const held: { value?: typeof import('../screens/finder.tsx') } = {};

/**
 * Searches everything, and goes to screens by their names. Opens by Ctrl K or ⌘ K. It must not be within the navigation, which narrow windows hide: a
 * hidden dialog still blocks the page.
 */
export const Palette = ({ screens }: { screens: readonly Target[] }) => {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey) return;
      // Another dialog must be answered first.
      if (document.querySelector('dialog[open]')) return;
      event.preventDefault();
      finderText.value = '';
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, []);
  const first = finderText.value;
  if (first === undefined) return null;
  const close = () => {
    finderText.value = undefined;
  };
  return (
    <Dialog title={translate('Search or go to')} onClose={close} look="finder">
      <Finder first={first} screens={screens} onDone={close} />
    </Dialog>
  );
};

export const PaletteButton = () => (
  <button
    type="button"
    class="button bare jump"
    aria-keyshortcuts="Control+K Meta+K"
    onClick={() => {
      finderText.value = '';
    }}
  >
    <SearchIcon />
    <span class="label">{translate('Search or go to…')}</span>
  </button>
);

const Finder = ({ first, screens, onDone }: { first: string; screens: readonly Target[]; onDone: () => void }) => {
  const [text, setText] = useState(first);
  const [sent, setSent] = useState('');
  const [active, setActive] = useState(0);
  const handle = useRef<FinderHandle>({ choices: [], isHeld: false });
  const { value: module, error, again } = useFetched(held, () => import('../screens/finder.tsx'));
  const choose = (choice: Choice) => {
    onDone();
    if (choice.act) choice.act();
    else location.assign(choice.href.includes('?') ? choice.href : lastLink(choice.href.slice(1)));
  };
  const move = (by: number) => {
    const next = Math.max(0, Math.min(handle.current.choices.length - 1, active + by));
    setActive(next);
    document.getElementById(`finder-${next}`)?.scrollIntoView({ block: 'nearest' });
  };
  const press = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    const choice = handle.current.choices[active];
    if (by === 0 && event.key !== 'Enter') return;
    event.preventDefault();
    if (by !== 0) move(by);
    else if (handle.current.isHeld || !choice) setSent(text);
    else if (choice && (event.ctrlKey || event.metaKey) && !choice.act) open(choice.href);
    else if (choice) choose(choice);
  };
  return (
    <>
      <Ask
        {...{ text, active }}
        onText={(next) => {
          setText(next);
          setActive(0);
        }}
        onKey={press}
      />
      {module && <module.FinderResults {...{ text, sent, active, screens, handle }} onChoose={choose} />}
      <Trouble error={error} onRetry={again} />
    </>
  );
};

type AskProps = { text: string; active: number; onText: (text: string) => void; onKey: (event: KeyboardEvent) => void };

const Ask = ({ text, active, onText, onKey }: AskProps) => (
  <input
    class="ask"
    type="search"
    role="combobox"
    aria-label={translate('Search or go to')}
    aria-expanded="true"
    aria-controls="finder-hits"
    aria-activedescendant={`finder-${active}`}
    aria-autocomplete="list"
    autoComplete="off"
    spellcheck={false}
    placeholder={translate('A name, an address, an order, an amount, four digits, or where to go')}
    value={text}
    onInput={({ currentTarget }) => onText(currentTarget.value)}
    onKeyDown={onKey}
  />
);
