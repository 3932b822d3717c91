import { useRef, useState } from 'preact/hooks';
import { chooseLanguage, chosenLanguage, languages } from '../language/languages.ts';
import { translate } from '../language/translate.ts';
import { Button } from '../parts/button.tsx';
import { useDismiss } from '../parts/dismiss.ts';
import { Select } from '../parts/field.tsx';
import { Initials } from '../parts/initials.tsx';
import { type Theme, theme, type Zone, zone } from './preferences.ts';
import { signOut, user } from './session.ts';
import { sendAllDecided } from './undo.tsx';

const themes: readonly Choice<Theme>[] = [
  { value: 'system', label: translate('As the system') },
  { value: 'light', label: translate('Light') },
  { value: 'dark', label: translate('Dark') },
];
const zones: readonly Choice<Zone>[] = [
  { value: 'local', label: translate('Local time') },
  { value: 'utc', label: 'UTC' },
];
const roleWords = {
  analyst: translate('Analyst'),
  developer: translate('Developer'),
  manager: translate('Manager'),
} as const;

/** Sends pending answers first, because no page is left to send them afterwards. */
const leave = async (everywhere = false) => {
  await sendAllDecided();
  await signOut(everywhere);
};

/** Shows the page in another language; pending answers are sent first, because the page is loaded again. */
const speak = async (code: string) => {
  await sendAllDecided();
  chooseLanguage(code);
};

/** The menu of the account: user, theme and sign-out. */
export const AccountMenu = () => {
  const [isOpen, setOpen] = useState(false);
  const ref = useRef<HTMLDivElement>(null);
  useDismiss(ref, isOpen, () => setOpen(false));
  const present = user.value;
  if (!present) return null;
  const { name, username, role } = present;
  return (
    <div class="account" ref={ref}>
      <button type="button" class="me" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <Initials name={name || username} />
        <span>
          <span>{name || username}</span>
          <small>{role ? roleWords[role] : translate('Operator')}</small>
        </span>
      </button>
      {isOpen && (
        <div class="panel">
          <p>
            <span class="quiet">{translate('Signed in as')}</span> <strong>{username}</strong>
          </p>
          <Choices legend={translate('Appearance')} name="theme" choices={themes} chosen={theme} />
          <Choices legend={translate('Times are shown in')} name="zone" choices={zones} chosen={zone} />
          <Select
            label={translate('Language')}
            choices={languages.map(({ code, name: label }) => ({ value: code, label }))}
            defaultValue={chosenLanguage().code}
            onChange={({ currentTarget }) => void speak(currentTarget.value)}
          />
          <p>
            <a href="#/account">{translate('Your account and second factor')}</a>
          </p>
          <div class="buttons">
            <Button onPress={() => leave()}>{translate('Sign out')}</Button>
            <Button look="bare" onPress={() => leave(true)}>
              {translate('Sign out everywhere')}
            </Button>
          </div>
        </div>
      )}
    </div>
  );
};

type Choice<T> = { value: T; label: string };
type ChoicesProps<T> = { legend: string; name: string; choices: readonly Choice<T>[]; chosen: { value: T } };

const Choices = <T extends string>({ legend, name, choices, chosen }: ChoicesProps<T>) => (
  <fieldset>
    <legend>{legend}</legend>
    {choices.map(({ value, label }) => (
      <label key={value}>
        <input
          type="radio"
          name={name}
          value={value}
          checked={chosen.value === value}
          onChange={() => {
            chosen.value = value;
          }}
        />
        {label}
      </label>
    ))}
  </fieldset>
);
