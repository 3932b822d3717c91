import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import german from '#lib/dashboard/language/catalogues/de.json' with { type: 'json' };
import { languages } from '#lib/dashboard/language/languages.ts';
import type { Catalogue, Forms } from '#lib/dashboard/language/translate.ts';
import { describeInBrowser } from '#test/support/browser.ts';
import { takePictures } from '#test/support/pictures.ts';
import { useStack } from '#test/support/stack.ts';
import { barriersFromHere } from './axe.ts';
import { listTexts } from './dashboard-texts.ts';
import { alertOfRow } from './people.ts';

const service = await useStack({ withPast: true });

type Words = (key: string) => string;
const wordsIn =
  (catalogue: Catalogue): Words =>
  (key) => {
    const found = catalogue[key] ?? key;
    return typeof found === 'string' ? found : found.other;
  };

const loaded = await Promise.all(
  languages.map(async ({ code, load }) => ({ code, catalogue: ((await load?.())?.default ?? {}) as Catalogue })),
);
/** The language that is walked through; `catalogues.test.ts` finds bare texts and missing keys of all languages in the sources. */
const walked = loaded.filter(({ code }) => code === 'de');

/** Shows pages in a language that this browser remembers. */
const speak = (page: Page, code: string) => page.addInitScript(`localStorage.setItem('forewarn.language', '${code}')`);

const signIn = async (page: Page, words: Words): Promise<void> => {
  const { username, password } = service.credentials.merchant;
  await page.goto(`${service.url}/dashboard`);
  await page.getByLabel(words('Username')).fill(username);
  await page.getByLabel(words('Password'), { exact: true }).fill(password);
  await page.getByRole('button', { name: words('Sign in'), exact: true }).click();
  await page.getByRole('navigation', { name: words('Main'), exact: true }).waitFor();
};

/** Opens the account menu, which is behind a tab on phones. */
const openAccount = async (page: Page, words: Words): Promise<void> => {
  const more = page.getByRole('button', { name: words('More'), exact: true });
  if (await more.isVisible()) await more.click();
  await page.locator('button.me').click();
};

type Step = { name: string; path: string; shows: string; andThen?: (page: Page, words: Words) => Promise<unknown> };

/** A walk through the screens; `shows`: what appears when a screen is complete. */
const walk: readonly Step[] = [
  { name: 'home', path: '/', shows: '.screen .gauge, .screen meter, .screen svg' },
  { name: 'queue', path: '/queue', shows: '[data-row]' },
  {
    name: 'alert',
    path: '/queue',
    shows: '[data-row]',
    andThen: async (page) => {
      await page.goto(`${service.url}/dashboard#/alerts/${await alertOfRow(page.locator('[data-row]').first())}`);
      await page.locator('.verb').first().waitFor();
    },
  },
  {
    name: 'chargebacks',
    path: '/chargebacks',
    shows: '[data-row]',
  },
  {
    name: 'chargeback',
    path: '/chargebacks',
    shows: '[data-row]',
    andThen: async (page) => {
      await page.locator('[data-row] a').first().click();
      await page.locator('.timeline, .checklist, .mark').first().waitFor();
    },
  },
  { name: 'payments', path: '/payments', shows: '[data-row]' },
  { name: 'orders', path: '/orders', shows: '[data-row]' },
  { name: 'deliveries', path: '/deliveries', shows: 'tbody th a' },
  { name: 'rules', path: '/rules?sid=1', shows: 'tbody th a' },
  { name: 'rule', path: '/rules/new?sid=1', shows: 'form select' },
  { name: 'reports', path: '/reports?from=2026-03-01&to=2026-05-31', shows: 'tbody tr' },
  { name: 'settings', path: '/settings', shows: '.entry a' },
  { name: 'site', path: '/settings/1', shows: 'form input' },
  { name: 'users', path: '/users', shows: 'tbody tr' },
  { name: 'help', path: '/help', shows: 'tbody tr' },
  {
    name: 'account',
    path: '/account',
    shows: '.screen h2',
    andThen: async (page, words) => {
      await openAccount(page, words);
      await page.getByLabel(words('Language')).waitFor();
    },
  },
];

const visit = async (page: Page, { path, shows, andThen }: Step, words: Words): Promise<void> => {
  await page.goto(`${service.url}/dashboard#${path}`);
  await page.locator(shows).first().waitFor();
  await andThen?.(page, words);
  await expect.poll(() => page.locator('.waiting, [aria-busy="true"]').count(), { timeout: 20_000 }).toBe(0);
};

/** Returns the texts that people see, hear or point at. */
const textsOn = (page: Page): Promise<string[]> =>
  page.evaluate<string[]>(`(() => {
    const found = [document.title];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) if (!walker.currentNode.parentElement.closest('script, style')) found.push(walker.currentNode.data);
    for (const element of document.querySelectorAll('*'))
      for (const name of ['aria-label', 'title', 'placeholder', 'alt', 'aria-description'])
        if (element.hasAttribute(name)) found.push(element.getAttribute(name));
    return [...new Set(found.map((text) => text.trim()).filter(Boolean))];
  })()`);

/** Returns what the service sent: names of rules, of sites and the like are in the words of who wrote them. */
const listenToService = (page: Page): Set<string> => {
  const sent = new Set<string>();
  const collect = (value: unknown): void => {
    if (typeof value === 'string') sent.add(value.trim());
    else if (typeof value === 'object' && value !== null) for (const one of Object.values(value)) collect(one);
  };
  page.on('response', (response) => {
    if (response.headers()['content-type']?.includes('json')) void response.json().then(collect, () => undefined);
  });
  return sent;
};

/** Returns the parts of English texts that a catalogue changes: whole texts, and what is next to a value if it has several words. */
const listEnglish = (catalogue: Catalogue): { whole: Set<string>; parts: string[] } => {
  const after = Object.values(catalogue).flatMap((found) =>
    typeof found === 'string' ? [found] : Object.values(found),
  );
  const unchanged = new Set(after);
  const keys = listTexts().flatMap(({ key, one }) => [key, ...(one === null ? [] : [one])]);
  const texts = keys
    .map((key) => key.replace(/\|.*$/, ''))
    .filter((text) => /\p{L}{3}/u.test(text) && !unchanged.has(text));
  const parts = texts.flatMap((text) => text.split(/\{\w+\}/)).map((part) => part.trim());
  return {
    whole: new Set(texts),
    parts: parts.filter(
      (part) => /\p{L}{2,} .*\p{L}{2,}/u.test(part) && part.length > 9 && !after.some((text) => text.includes(part)),
    ),
  };
};

/** Returns the controls whose names lack the text that is seen on them, which people say to use them. */
const misnamedOn = (page: Page): Promise<string[]> =>
  page.evaluate<string[]>(`[...document.querySelectorAll('button[aria-label], a[aria-label]')]
    .map((control) => [control.getAttribute('aria-label'), control.innerText.trim()])
    .filter(([name, seen]) => /\\p{L}{2}/u.test(seen) && !name.toLowerCase().includes(seen.toLowerCase()))
    .map(([name, seen]) => name + ': ' + seen)`);

const findEnglish = async (page: Page, catalogue: Catalogue, sent: ReadonlySet<string>): Promise<string[]> => {
  const { whole, parts } = listEnglish(catalogue);
  const names = [...sent].filter((text) => /\p{L}{3} /u.test(text));
  const shown = (await textsOn(page)).filter((text) => !sent.has(text));
  return shown
    .map((text) => names.reduce((rest, name) => rest.replaceAll(name, ''), text))
    .filter((text) => whole.has(text) || parts.some((part) => text.includes(part)));
};

const pageOverflow = (page: Page): Promise<number> =>
  page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');

/** Changes the texts of a catalogue, and leaves the names in braces. */
const changeTexts = (change: (text: string) => string): Catalogue => {
  const one = (text: string) =>
    text
      .split(/(\{\w+\})/)
      .map((part, index) => (index % 2 === 0 ? change(part) : part))
      .join('');
  const all = (found: string | Forms) =>
    typeof found === 'string'
      ? one(found)
      : (Object.fromEntries(Object.entries(found).map(([name, form]) => [name, one(form)])) as Forms);
  return Object.fromEntries(Object.entries(german).map(([key, found]) => [key, all(found)]));
};

const english = (key: string): string => key.replace(/\|.*$/, '');
/** A language whose texts are twice as long as the English ones. */
const stretched: Catalogue = Object.fromEntries(
  Object.keys(german).map((key) => [key, `${english(key)} ${english(key).replace(/\{\w+\}/g, '')}`.trim()]),
);
const alefbet = 'אבגדהוזחטיכלמנסעפצקרשת';
/** A language that is read from right to left. */
const hebrew = changeTexts((text) =>
  text.replace(/\p{L}/gu, (letter) => alefbet[(letter.toLowerCase().codePointAt(0) ?? 0) % alefbet.length] ?? ''),
);
const kana = '警告返金決済加盟店注文異議申立期限カードのをにはがする';
/** A language without spaces, of wide letters. */
const toKana = (word: string): string =>
  (word.toLowerCase().match(/..?/gu) ?? [])
    .map((pair) => kana[[...pair].reduce((sum, letter) => sum * 7 + letter.charCodeAt(0), 0) % kana.length])
    .join('');
const japanese = changeTexts((text) => text.replace(/\p{L}+/gu, toKana).replaceAll(' ', ''));

/** Serves another catalogue in place of the German one. */
const pretend = async (page: Page, catalogue: Catalogue): Promise<void> => {
  await speak(page, 'de');
  await page.route(/\/dashboard\/de-[A-Z0-9]+\.js$/, (route) =>
    route.fulfill({ contentType: 'text/javascript', body: `export default ${JSON.stringify(catalogue)};` }),
  );
};

describeInBrowser('the dashboard in other languages', (open) => {
  it.each(walked)('shows no English text of its own in $code', async ({ code, catalogue }) => {
    const { page } = await open();
    const words = wordsIn(catalogue);
    const sent = listenToService(page);
    await speak(page, code);
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.goto(`${service.url}/dashboard`);
    await page.getByLabel(words('Username')).waitFor();
    const found = (await findEnglish(page, catalogue, sent)).map((text) => `sign-in: ${text}`);
    await signIn(page, words);
    for (const step of walk) {
      await visit(page, step, words);
      await takePictures(page, `${code}-${step.name}`);
      found.push(...(await findEnglish(page, catalogue, sent)).map((text) => `${step.name}: ${text}`));
      found.push(...(await misnamedOn(page)).map((text) => `${step.name}: ${text}`));
    }
    expect(found).toEqual([]);
    expect(await page.evaluate('[document.documentElement.lang, document.documentElement.dir]')).toEqual([code, 'ltr']);
  });

  it.each([
    ['German', german as Catalogue],
    ['a language with texts twice as long', stretched],
  ])('fits a phone in %s', async (_, catalogue) => {
    const { page } = await open();
    const words = wordsIn(catalogue);
    await pretend(page, catalogue);
    await signIn(page, words);
    await page.setViewportSize({ width: 390, height: 844 });
    const wide: string[] = [];
    for (const step of walk) {
      await visit(page, step, words);
      if (catalogue === stretched) await takePictures(page, `long-${step.name}`);
      const overflow = await pageOverflow(page);
      if (overflow > 0) wide.push(`${step.name}: ${overflow} pixels too wide`);
    }
    expect(wide).toEqual([]);
  });

  it.each([
    ['a language from right to left', 'he', 'rtl', hebrew],
    ['Japanese letters', 'ja', 'ltr', japanese],
  ])('has no barriers in %s', async (_, lang, dir, catalogue) => {
    const { page } = await open();
    const words = wordsIn(catalogue);
    await pretend(page, catalogue);
    await signIn(page, words);
    await page.evaluate(`Object.assign(document.documentElement, { lang: '${lang}', dir: '${dir}' })`);
    const barriers: string[] = [];
    for (const step of walk) {
      await page.setViewportSize({ width: 1280, height: 900 });
      await visit(page, step, words);
      await takePictures(page, `${lang}-${step.name}`);
      barriers.push(...(await barriersFromHere(page)).map((barrier) => `${step.name}: ${barrier}`));
    }
    expect(barriers).toEqual([]);
  });

  const catalogueRequests = (page: Page): string[] => {
    const requested: string[] = [];
    page.on('request', (request) => {
      const [, code] = /\/dashboard\/(de|fr|es|pt)-[A-Z0-9]+\.js$/.exec(request.url()) ?? [];
      if (code !== undefined) requested.push(code);
    });
    return requested;
  };

  it('loads no catalogue for English, and only the chosen one for another language', async () => {
    const { page } = await open();
    const requested = catalogueRequests(page);
    await signIn(page, (key) => key);
    expect(requested).toEqual([]);
    await page
      .getByRole('button', { name: service.credentials.merchant.username })
      .or(page.locator('button.me'))
      .first()
      .click();
    await page.getByLabel('Language').selectOption('es');
    const words = wordsIn(loaded.find(({ code }) => code === 'es')?.catalogue ?? {});
    await page.getByRole('navigation', { name: words('Main') }).waitFor();
    expect(requested).toEqual(['es']);
    await page.reload();
    await page.getByRole('navigation', { name: words('Main') }).waitFor();
    expect(await page.evaluate('document.documentElement.lang')).toBe('es');
  });

  it('begins with the first language of the browser that it has', async () => {
    const { page } = await open();
    await page.addInitScript(`Object.defineProperty(navigator, 'languages', { value: ['nl-NL', 'pt-PT', 'de'] })`);
    await page.goto(`${service.url}/dashboard`);
    const words = wordsIn(loaded.find(({ code }) => code === 'pt')?.catalogue ?? {});
    await page.getByLabel(words('Username')).waitFor();
    expect(await page.evaluate('document.documentElement.lang')).toBe('pt');
  });

  it('is in English where the catalogue cannot be loaded', async () => {
    const { page, provoked } = await open();
    provoked.push(/ERR_FAILED/);
    await speak(page, 'fr');
    await page.route(/\/dashboard\/fr-[A-Z0-9]+\.js$/, (route) => route.abort());
    await page.goto(`${service.url}/dashboard`);
    await page.getByLabel('Username').waitFor();
    expect(await page.evaluate('document.documentElement.lang')).toBe('en');
  });
});
