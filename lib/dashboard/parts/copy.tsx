import { say } from '../app/messages.tsx';
import { translate } from '../language/translate.ts';
import { CopyIcon } from './icons.tsx';

/** A text as programs write it, and the way to copy it. */
export const Copied = ({ text, label }: { text: string; label: string }) => (
  <>
    <span class="code">{text}</span> <Copy text={text} label={label} />
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
