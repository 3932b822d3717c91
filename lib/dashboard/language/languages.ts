import { readStored, remember } from '../app/storage.ts';
import { type Catalogue, setLanguage } from './translate.ts';

type Language = {
  code: string;
  /** As its speakers call it. */
  name: string;
  locale: string;
  /** In which its lines are read. */
  dir: 'ltr' | 'rtl';
  /** Absent for the language of the source. */
  load?: () => Promise<{ default: Catalogue }>;
};

/** The languages of the dashboard, English first. A browser loads one catalogue at most. */
export const languages: readonly [Language, ...Language[]] = [
  { code: 'en', name: 'English', locale: 'en-GB', dir: 'ltr' },
  {
    code: 'de',
    name: 'Deutsch',
    locale: 'de-DE',
    dir: 'ltr',
    load: () => import('./catalogues/de.json', { with: { type: 'json' } }),
  },
  {
    code: 'fr',
    name: 'Français',
    locale: 'fr-FR',
    dir: 'ltr',
    load: () => import('./catalogues/fr.json', { with: { type: 'json' } }),
  },
  {
    code: 'es',
    name: 'Español',
    locale: 'es-ES',
    dir: 'ltr',
    load: () => import('./catalogues/es.json', { with: { type: 'json' } }),
  },
  {
    code: 'pt',
    name: 'Português',
    locale: 'pt-BR',
    dir: 'ltr',
    load: () => import('./catalogues/pt.json', { with: { type: 'json' } }),
  },
];

const findLanguage = (tag: string | undefined): Language | undefined =>
  languages.find(({ code }) => code === tag?.slice(0, 2).toLowerCase());

/** Returns the language that the person chose, or else the first of the browser's that the dashboard has. */
export const chosenLanguage = (): Language => {
  const tags = [readStored('language'), ...(globalThis.navigator?.languages ?? [])];
  return tags.map(findLanguage).find((one) => one !== undefined) ?? languages[0];
};

/** Loads the chosen language. English is shown where its catalogue cannot be loaded. To be called once. */
export const loadLanguage = async (): Promise<void> => {
  const { code, locale, dir, load } = chosenLanguage();
  if (!load) return;
  const words = await load().then(
    (loaded) => loaded.default,
    () => undefined,
  );
  if (!words) return;
  setLanguage({ locale, catalogue: words });
  Object.assign(document.documentElement, { lang: code, dir });
};

/** Keeps the choice of a language and shows the page in it. */
export const chooseLanguage = (code: string): void => {
  remember('language', code);
  location.reload();
};
