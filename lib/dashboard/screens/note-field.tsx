import { useRef, useState } from 'preact/hooks';
import { translate } from '../language/translate.ts';
import { LongField } from '../parts/field.tsx';
import { mentionBegun, type Person, suggestedFor, toMention, useColleagues } from './colleagues.ts';

const maxSuggestions = 6;

/** The text of a note. After `@`, it suggests the users whom it can mention. */
export const NoteField = ({ mid, problem }: { mid: number | undefined; problem: string | undefined }) => {
  const people = useColleagues(mid);
  const field = useRef<HTMLTextAreaElement | null>(null);
  const [begun, setBegun] = useState<string>();
  const look = (text: HTMLTextAreaElement) => {
    field.current = text;
    setBegun(mentionBegun(text.value.slice(0, text.selectionStart)));
  };
  const mention = (person: Person) => {
    const text = field.current;
    if (!text || begun === undefined) return;
    const end = text.selectionStart;
    text.setRangeText(`${toMention(person)} `, end - begun.length - 1, end, 'end');
    text.focus();
    setBegun(undefined);
  };
  const suggested = begun === undefined ? [] : suggestedFor(begun, people).slice(0, maxSuggestions);
  return (
    <>
      <LongField
        label={translate('Note')}
        name="note"
        hint={translate('Your colleagues read it in the history. The network is not told. @name sends it by e-mail.')}
        required
        maxLength={2000}
        problem={problem}
        onInput={({ currentTarget }) => look(currentTarget)}
        onKeyUp={({ currentTarget }) => look(currentTarget)}
        onClick={({ currentTarget }) => look(currentTarget)}
      />
      <ul class="suggestions" aria-label={translate('Mention')}>
        {suggested.map((person) => (
          <li key={person.username}>
            <button type="button" class="button plain small" onClick={() => mention(person)}>
              {person.name || person.username} <span class="quiet">{toMention(person)}</span>
            </button>
          </li>
        ))}
      </ul>
    </>
  );
};
