import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import type { Item } from '#core/platform/table/table.ts';
import { createAlert } from '#disputes/alerts/alert.ts';
import { toAlertItem } from '#disputes/alerts/alert-row.ts';
import { openBuild } from '#lib/local/build/build.ts';
import { type LocalStack, startLocalStack } from '#lib/local/stack.ts';
import { providerAlertOf, siteOf } from '#test/disputes/alerts/samples.ts';
import { findChromium } from '#test/support/browser.ts';
import { writeRows } from '#test/support/many-rows.ts';
import { median } from './measure.ts';
import { milliseconds, progress, step, whole } from './report.ts';
import type { Finding } from './table.ts';

/**
 * The time that people wait for the dashboard on a slow machine behind a slow line: medians of five, each in an empty browser.
 * The service counts each alert that is stored, which takes the emulator minutes for thousands; what a page of 10,000 reads is a
 * test.
 */

const turns = 5;
const slowness = 4;
/** 1.6 Mbit/s, in bytes; and the time there and back. */
const line = { downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8, latency: 150, offline: false };
const most = { signIn: 1500, inbox: 2000, key: 100 } as const;

/** An ordinary morning. */
const startTime = Date.UTC(2026, 4, 2, 10, 0);
const patience = 120_000;

export const measureDashboard = async (alerts: number): Promise<Finding[]> => {
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error('Chromium is missing: install it, or name it by CHROMIUM_PATH');
  const dataFolder = mkdtempSync(join(tmpdir(), 'forewarn-bench-dashboard-'));
  const { template, templateFolder, code } = await openBuild();
  step(`Starting the service${template.isCached ? '' : ', whose template is made first'}`);
  const stack = await startLocalStack({ templateFolder, code, dataFolder, port: 0, startTime });
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
  try {
    await storeAlerts(stack, alerts);
    const times = [];
    for (let turn = 1; turn <= turns; turn += 1) {
      progress(`The dashboard with ${whole(alerts)} open alerts, turn ${turn} of ${turns}`);
      times.push(await measureOnce(browser, stack));
    }
    return findingsOf(times, alerts);
  } finally {
    await browser.close();
    await stack.stop();
    rmSync(dataFolder, { recursive: true, force: true });
  }
};

const storeAlerts = async (stack: LocalStack, count: number): Promise<void> => {
  step(`Storing ${whole(count)} open alerts of the demo site, and letting the service count them`);
  const { tables } = stack;
  const credentials = stack.credentials();
  if (!credentials) throw new Error('The bench expected a demo tenant.');
  const { mid, rid, sid } = credentials.site;
  const site = siteOf({ mid, rid, sid });
  const rows = Array.from({ length: count }, (_, n): Item => {
    const type = (['FRAUD', 'DISPUTE', 'CANCEL'] as const)[n % 3] ?? 'FRAUD';
    const at = new Date(startTime - (n % 20) * 3_600_000 - n * 100).toISOString();
    const alert = providerAlertOf({ type, amount: '9.00', currency: 'USD' });
    return toAlertItem(createAlert(1_000_000_000_000_000 + n, alert, at, { site, matchedDescriptor: 'DEMO SHOP' }));
  });
  await writeRows({ client: tables.client, table: tables.names[0] ?? '' }, rows, (done) => {
    if (done % 500 === 0) progress(`Storing alerts: ${whole(done)} of ${whole(count)}`);
  });
  step('Waiting until all are counted');
  await stack.time.untilIdle();
};

type Times = { signIn: number; inbox: number; key: number };

const measureOnce = async (browser: Browser, stack: LocalStack): Promise<Times> => {
  const { username = '', password = '' } = stack.credentials()?.merchant ?? {};
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await session.send('Network.enable');
    await session.send('Network.emulateNetworkConditions', line);
    await session.send('Emulation.setCPUThrottlingRate', { rate: slowness });
    const signIn = await timed(async () => {
      await page.goto(`${stack.url}/dashboard`, { timeout: patience, waitUntil: 'commit' });
      // Usable is what takes what is typed.
      await page.getByLabel('Username').fill(username, { timeout: patience });
    });
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await firstRow(page);
    // Warm: the files are kept by the browser, and the cookie stands for the person.
    const inbox = await timed(async () => {
      await page.reload({ timeout: patience, waitUntil: 'commit' });
      await firstRow(page);
    });
    return { signIn, inbox, key: await keyTime(page) };
  } finally {
    await context.close();
  }
};

const firstRow = (page: Page) =>
  page
    .getByRole('list', { name: /^Alerts:/ })
    .getByRole('listitem')
    .first()
    .waitFor({ timeout: patience });

/** From a key press to the picture after it: what is done in the frame that answers is over when the task behind it runs. */
const keyTime = async (page: Page): Promise<number> => {
  await page.evaluate(`
    window.answered = new Promise((resolve) => {
      addEventListener('keydown', ({ timeStamp }) => {
        requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - timeStamp)));
      }, { once: true, capture: true });
    });
    undefined`);
  await page.keyboard.press('j');
  const time = await page.evaluate<number>('window.answered');
  const isAnswered = await page.evaluate<boolean>('document.activeElement?.closest(".row") !== null');
  if (!isAnswered) throw new Error('The key j did not lead to the first row');
  return time;
};

const timed = async (run: () => Promise<unknown>): Promise<number> => {
  const begun = performance.now();
  await run();
  return performance.now() - begun;
};

const findingsOf = (times: readonly Times[], alerts: number): Finding[] => {
  const finding = (what: string, field: keyof Times): Finding => {
    const middle = median(times.map((one) => one[field]));
    const limit = most[field];
    return { what, measured: milliseconds(middle), goal: `at most ${whole(limit)} ms`, isMet: middle <= limit };
  };
  const slow = `CPU ÷ ${slowness}, 1.6 Mbit/s, 150 ms`;
  return [
    finding(`dashboard, sign-in usable (${slow})`, 'signIn'),
    finding(`dashboard, inbox of a warm session, ${whole(alerts)} open alerts (${slow})`, 'inbox'),
    finding(`dashboard, a key is answered (${slow})`, 'key'),
  ];
};
