import { say } from '../app/messages.tsx';
import { translate } from '../language/translate.ts';
import { CopyIcon } from './icons.tsx';

const cutTo = 8;

/** A text as programs write it, and the way to copy it. `isCut`: only its first characters are shown. */
export const Copied = ({ text, label, isCut = false }: { text: string; label: string; isCut?: boolean }) => (
  <>
    <span class="code" title={isCut ? text : undefined}>
      {isCut ? `${text.slice(0, cutTo)}…` : text}
    </span>{' '}
    <Copy text={text} label={label} />
  </>
);

/** Copies a text; where the browser does not let it, says so. */
export const Copy = ({ text, label }: { text: string; label: string }) => {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      say(translate('Copied.'));
    } catch {
      say(translate('The browser does not let this page copy. Select the text and copy it yourself.'), 'bad');
    }
  };
  return (
    <button type="button" class="bare copy" aria-label={label} title={label} onClick={() => void copy()}>
      <CopyIcon />
    </button>
  );
};
