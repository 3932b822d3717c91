import { accessSync, constants } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';

/** Stays when all other modules are reloaded for the next file. */
const { processState }: { processState: { browser?: Browser } } = createRequire(import.meta.url)('./process-state.mjs');

// The shell without windows first: a page takes it little more than half the CPU.
const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

/** The Chromium of this machine: the one `CHROMIUM_PATH` names, or the first on the PATH. */
export const findChromium = (environment: NodeJS.ProcessEnv = process.env): string | undefined => {
  const given = environment['CHROMIUM_PATH'];
  if (given) return given;
  const folders = (environment['PATH'] ?? '').split(delimiter).filter(Boolean);
  return folders.flatMap((folder) => names.map((name) => join(folder, name))).find(isExecutable);
};

const isExecutable = (file: string): boolean => {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** Returns whether tests that need a browser run; fail where one is expected, in CI; or are skipped, which is reported. */
export const planRun = (found: string | undefined, environment: NodeJS.ProcessEnv): 'run' | 'fail' | 'skip' => {
  if (found !== undefined) return 'run';
  // .ci/run says so where it could not install one.
  if (environment['BROWSER_TESTS'] === 'skip') return 'skip';
  return environment['CI'] === 'true' ? 'fail' : 'skip';
};

export type Opened = {
  page: Page;
  /** Addresses off this machine that the page asked for; none of them is reached. */
  outside: readonly string[];
  /** The errors of the page: exceptions, and errors on its console. */
  errors: readonly string[];
  /** The errors that the test provokes: none but these may be there when it ends. */
  provoked: RegExp[];
};

/** Opens an empty page with nothing stored; it is closed when the test ends. */
export type Open = () => Promise<Opened>;

const words = 'Chromium is missing: install it, or name it by CHROMIUM_PATH';

/** Describes tests in a browser: no page may have unexpected errors, or call other machines; nothing of them is left afterwards. */
export const describeInBrowser = (name: string, define: (open: Open) => void): void => {
  const executablePath = findChromium();
  const plan = planRun(executablePath, process.env);
  if (plan === 'run') describe(name, () => define(useBrowser(executablePath)));
  else if (plan === 'fail') it(`${name} in a browser`, () => Promise.reject(new Error(`${words}.`)));
  else {
    process.stderr.write(`\n!!! SKIPPED in a browser: ${name}. ${words}.\n\n`);
    describe.skip(name, () => define(() => Promise.reject(new Error(words))));
  }
};

/**
 * Chromium refuses its sandbox to root, and containers have little shared memory. No picture is needed, so that drawing needs no
 * process of its own and no memory for what is drawn, unless pictures are requested (`SCREENSHOTS`). No page stays long enough
 * for what its scripts' last optimization costs, nor for collecting their garbage with several threads.
 */
const switchesFor = (environment: NodeJS.ProcessEnv): string[] => [
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  ...['--disable-dev-shm-usage', '--disable-gpu', '--in-process-gpu'],
  ...(environment['SCREENSHOTS'] === undefined ? ['--force-gpu-mem-available-mb=1'] : []),
  '--js-flags=--no-opt,--single-threaded-gc',
];

/** The Chromium of this process, which its test files share; the pages of each test have storage and cache of their own. */
const openBrowser = async (executablePath: string | undefined): Promise<Browser> => {
  if (!processState.browser?.isConnected()) {
    processState.browser = await chromium.launch({
      ...(executablePath !== undefined && { executablePath }),
      headless: true,
      args: switchesFor(process.env),
    });
  }
  return processState.browser;
};

/** What pages show where a test failed: the error of a wait does not say it. */
const describePages = async (context: BrowserContext): Promise<string> => {
  const texts = context.pages().map(async (page) => {
    const text = await page.locator('#main, main, body').first().textContent({ timeout: 2000 }).catch(String);
    return `${page.url()} shows: ${text?.replaceAll(/\s+/g, ' ').slice(0, 1500)}`;
  });
  return (await Promise.all(texts)).join('\n');
};

const useBrowser = (executablePath: string | undefined): Open => {
  let browser: Browser | undefined;
  const contexts: BrowserContext[] = [];
  const watched: Omit<Opened, 'page'>[] = [];
  beforeAll(async () => {
    browser = await openBrowser(executablePath);
  });
  afterEach(async ({ task }) => {
    const shown = task.result?.state === 'fail' ? await Promise.all(contexts.map(describePages)) : [];
    await Promise.all(contexts.splice(0).map((context) => context.close()));
    const unexpected = watched.splice(0).flatMap(({ errors, outside, provoked }) => {
      const isProvoked = (error: string) => provoked.some((pattern) => pattern.test(error));
      return [...errors.filter((error) => !isProvoked(error)), ...outside];
    });
    expect(unexpected, 'errors of pages, and calls of other machines').toEqual([]);
    if (shown.length > 0) throw new Error(shown.join('\n'));
  });
  return async () => {
    if (!browser) throw new Error('Open pages within a test.');
    const context = await browser.newContext();
    contexts.push(context);
    const page = await context.newPage();
    const opened = { page, ...(await watch(context, page)) };
    watched.push(opened);
    return opened;
  };
};

const isHere = (url: URL): boolean =>
  ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname) || ['data:', 'blob:', 'about:'].includes(url.protocol);

const watch = async (context: BrowserContext, page: Page): Promise<Omit<Opened, 'page'>> => {
  const outside: string[] = [];
  const errors: string[] = [];
  await context.route(
    (url) => !isHere(url),
    (route) => {
      outside.push(route.request().url());
      return route.abort();
    },
  );
  page.on('pageerror', (error) => void errors.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  // Browsers write every 4xx to the console.
  return { outside, errors, provoked: [/status of 4\d\d/] };
};
