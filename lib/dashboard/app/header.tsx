import { Button } from '../parts/button.tsx';
import { ChooseMerchant } from '../parts/choose-merchant.tsx';
import { ShieldIcon } from '../parts/icons.tsx';
import { address } from './address.ts';
import { type Theme, theme, zone } from './preferences.ts';
import { signOut, user } from './session.ts';

const themes: readonly { value: Theme; label: string }[] = [
  { value: 'system', label: 'As the system' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
];

const skip = () => document.getElementById('main')?.querySelector('h1')?.focus();

/** What stands on top of every screen: whose service it is, how it looks, and who is signed in. */
export const Header = () => (
  <header class="top">
    <button type="button" class="skip" onClick={skip}>
      Skip to the content
    </button>
    <a class="brand" href="#/">
      <ShieldIcon />
      Forewarn
    </a>
    <div class="grow" />
    <ChooseMerchant />
    <button
      type="button"
      class="button bare"
      aria-label={zone.value === 'utc' ? 'UTC: show local time' : 'Local time: show UTC'}
      title="Which zone times are shown in"
      onClick={() => {
        zone.value = zone.value === 'utc' ? 'local' : 'utc';
      }}
    >
      {zone.value === 'utc' ? 'UTC' : 'Local time'}
    </button>
    <Account />
  </header>
);

const roleWords = { analyst: 'Analyst', developer: 'Developer', manager: 'Manager' } as const;

const Account = () => {
  const present = user.value;
  if (!present) return null;
  const { name, username, role } = present;
  return (
    // Anew on every screen, and so closed.
    <details class="account" key={address.value.path}>
      <summary class="button bare">{name || username}</summary>
      <div class="panel">
        <p>
          <strong>{username}</strong>
          <br />
          <span class="quiet">{role ? roleWords[role] : 'Operator'}</span>
        </p>
        <fieldset>
          <legend>Appearance</legend>
          {themes.map(({ value, label }) => (
            <label key={value}>
              <input
                type="radio"
                name="theme"
                value={value}
                checked={theme.value === value}
                onChange={() => {
                  theme.value = value;
                }}
              />
              {label}
            </label>
          ))}
        </fieldset>
        <p>
          <a href="#/account">Your account and second factor</a>
        </p>
        <div class="buttons">
          <Button onPress={() => signOut()}>Sign out</Button>
          <Button onPress={() => signOut(true)}>Sign out everywhere</Button>
        </div>
      </div>
    </details>
  );
};
