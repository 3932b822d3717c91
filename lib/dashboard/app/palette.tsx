import { useEffect, useRef, useState } from 'preact/hooks';
import { translate } from '../language/translate.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Field } from '../parts/field.tsx';
import { SearchIcon } from '../parts/icons.tsx';
import { lastLink } from './address.ts';
import { findTargets, type Target } from './palette-targets.ts';

type PaletteProps = { screens: readonly Target[]; isOpen: boolean; onToggle: (isOpen: boolean) => void };

/**
 * Goes to a screen by its name, or to an alert, a payment, an order or a site by its number. Opens by Ctrl K or ⌘ K. It must not be
 * within the navigation, which narrow windows hide: a hidden dialog still blocks the page.
 */
export const Palette = ({ screens, isOpen, onToggle }: PaletteProps) => {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey) return;
      // Another dialog must be answered first.
      if (document.querySelector('dialog[open]')) return;
      event.preventDefault();
      onToggle(true);
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, []);
  if (!isOpen) return null;
  return (
    <Dialog title={translate('Go to')} onClose={() => onToggle(false)}>
      <Choices screens={screens} onDone={() => onToggle(false)} />
    </Dialog>
  );
};

export const PaletteButton = ({ onPress }: { onPress: () => void }) => (
  <button type="button" class="button bare jump" aria-keyshortcuts="Control+K Meta+K" onClick={onPress}>
    <SearchIcon />
    <span class="label">{translate('Go to…')}</span>
  </button>
);

const Choices = ({ screens, onDone }: { screens: readonly Target[]; onDone: () => void }) => {
  const [text, setText] = useState('');
  const list = useRef<HTMLUListElement>(null);
  const found = findTargets(text, screens);
  const open = (path: string | undefined) => {
    if (path === undefined) return;
    onDone();
    location.assign(lastLink(path));
  };
  /** Arrow keys go through the links; before the first one is the field. */
  const move = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (by === 0) return;
    event.preventDefault();
    const links = [...(list.current?.querySelectorAll('a') ?? [])];
    const at = links.findIndex((one) => one.matches(':focus'));
    links[Math.min(links.length - 1, Math.max(0, at + by))]?.focus();
  };
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        open(found[0]?.path);
      }}
      onKeyDown={move}
    >
      <Field
        label={translate('Screen, or the number of an alert, a payment, an order or a site')}
        value={text}
        autoComplete="off"
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
      <ul class="choices" ref={list}>
        {found.map(({ label, path }) => (
          <li key={path}>
            <a class="button bare" href={lastLink(path)} onClick={onDone}>
              {label}
            </a>
          </li>
        ))}
      </ul>
      {found.length === 0 && <p class="quiet">{translate('No screen has this name.')}</p>}
    </form>
  );
};
