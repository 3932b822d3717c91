import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, type CDPSession, chromium, type Page } from 'playwright-core';
import type { Item } from '#core/platform/table/table.ts';
import { createAlert } from '#disputes/alerts/alert.ts';
import { toAlertItem } from '#disputes/alerts/alert-row.ts';
import { openBuild } from '#lib/local/build/build.ts';
import { type LocalStack, startLocalStack } from '#lib/local/stack.ts';
import { aProviderAlert, aSite } from '#test/disputes/alerts/samples.ts';
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
/** The number of next alerts in each. */
const presses = 10;
const slowness = 4;
/** 1.6 Mbit/s, in bytes; and the time there and back. */
const line = { downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8, latency: 150, offline: false };
const most = { signIn: 1500, home: 2000, queue: 2000, key: 100, next: 100, fastNext: 100 } as const;

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
    return toFindings(times, alerts);
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
  const site = aSite({ mid, rid, sid });
  const rows = Array.from({ length: count }, (_, n): Item => {
    const type = (['FRAUD', 'DISPUTE', 'CANCEL'] as const)[n % 3] ?? 'FRAUD';
    const at = new Date(startTime - (n % 20) * 3_600_000 - n * 100).toISOString();
    const alert = aProviderAlert({ type, amount: '9.00', currency: 'USD' });
    return toAlertItem(createAlert(1_000_000_000_000_000 + n, alert, at, { site, matchedDescriptor: 'DEMO SHOP' }));
  });
  await writeRows({ client: tables.client, table: tables.names[0] ?? '' }, rows, (done) => {
    if (done % 500 === 0) progress(`Storing alerts: ${whole(done)} of ${whole(count)}`);
  });
  step('Waiting until all are counted');
  await stack.time.untilIdle();
};

type Screen = 'signIn' | 'home' | 'queue';
type Traffic = { requests: number; bytes: number };
/** Times in milliseconds; `traffic`: what each screen has loaded, with headers, as it was compressed. */
type Measured = Record<keyof typeof most, number> & { traffic: Record<Screen, Traffic> };

/** Counts what a page loads, also from its cache, which takes no bytes. */
const countTraffic = (session: CDPSession) => {
  let traffic: Traffic = { requests: 0, bytes: 0 };
  session.on('Network.requestWillBeSent', ({ request }) => {
    if (request.url.startsWith('http')) traffic.requests += 1;
  });
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    traffic.bytes += encodedDataLength;
  });
  return {
    /** Returns what was loaded since the last time. */
    take: (): Traffic => {
      const taken = traffic;
      traffic = { requests: 0, bytes: 0 };
      return taken;
    },
  };
};

const measureOnce = async (browser: Browser, stack: LocalStack): Promise<Measured> => {
  const { username = '', password = '' } = stack.credentials()?.merchant ?? {};
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await session.send('Network.enable');
    await session.send('Network.emulateNetworkConditions', line);
    await session.send('Emulation.setCPUThrottlingRate', { rate: slowness });
    const counted = countTraffic(session);
    const signIn = await timed(async () => {
      await page.goto(`${stack.url}/dashboard`, { timeout: patience, waitUntil: 'commit' });
      // Usable is what takes what is typed.
      await page.getByLabel('Username').fill(username, { timeout: patience });
    });
    const traffic = { signIn: counted.take(), home: counted.take(), queue: counted.take() };
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await moneyAtRisk(page);
    // Visited once, so that the browser has the files of both screens: people open them every day.
    await page.getByRole('link', { name: 'Queue', exact: true }).first().click();
    await firstRow(page);
    const load = async (screen: Exclude<Screen, 'signIn'>, hash: string, ready: (page: Page) => Promise<void>) => {
      await page.goto(`${stack.url}/dashboard${hash}`, { timeout: patience });
      await ready(page);
      await page.waitForLoadState('networkidle');
      counted.take();
      const time = await timed(async () => {
        await page.reload({ timeout: patience, waitUntil: 'commit' });
        await ready(page);
      });
      traffic[screen] = counted.take();
      return time;
    };
    const home = await load('home', '#/', moneyAtRisk);
    const queue = await load('queue', '#/queue', firstRow);
    const key = await keyTime(page);
    await page.keyboard.press('Enter');
    const next = await nextTimes(page);
    await session.send('Emulation.setCPUThrottlingRate', { rate: 1 });
    return { signIn, home, queue, key, next, fastNext: await nextTimes(page), traffic };
  } finally {
    await context.close();
  }
};

const moneyAtRisk = (page: Page) => page.locator('.at-risk .big-figure').waitFor({ timeout: patience });

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

/** The median of a few alerts, one after the other. */
const nextTimes = async (page: Page): Promise<number> => {
  const times = [];
  for (let press = 0; press < presses; press += 1) times.push(await nextTime(page));
  return median(times);
};

/** From a key press to the picture of the next alert in the pane, which was read beforehand. */
const nextTime = async (page: Page): Promise<number> => {
  await page.locator('.pane .pane-head').waitFor({ timeout: patience });
  await page.waitForLoadState('networkidle');
  await page.evaluate(`
    window.shown = new Promise((resolve) => {
      const present = document.querySelector('.row.on')?.dataset.alert;
      addEventListener('keydown', ({ timeStamp }) => {
        const check = () => {
          const next = document.querySelector('.row.on')?.dataset.alert;
          if (next !== present && document.querySelector('.pane .pane-head')) {
            setTimeout(() => resolve(performance.now() - timeStamp));
          } else requestAnimationFrame(check);
        };
        requestAnimationFrame(check);
      }, { once: true, capture: true });
    });
    undefined`);
  await page.keyboard.press('j');
  return page.evaluate<number>('window.shown');
};

const timed = async (run: () => Promise<unknown>): Promise<number> => {
  const begun = performance.now();
  await run();
  return performance.now() - begun;
};

const toFindings = (times: readonly Measured[], alerts: number): Finding[] => {
  const finding = (what: string, field: keyof typeof most): Finding => {
    const middle = median(times.map((one) => one[field]));
    const limit = most[field];
    return { what, measured: milliseconds(middle), goal: `at most ${whole(limit)} ms`, isMet: middle <= limit };
  };
  const loaded = (what: string, screen: Screen): Finding => {
    const kilobytes = median(times.map(({ traffic }) => traffic[screen].bytes)) / 1024;
    const requests = median(times.map(({ traffic }) => traffic[screen].requests));
    return { what, measured: `${whole(requests)} requests, ${kilobytes.toFixed(0)} KB`, goal: '', isMet: null };
  };
  const slow = `CPU ÷ ${slowness}, 1.6 Mbit/s, 150 ms`;
  const open = `${whole(alerts)} open alerts`;
  return [
    finding(`dashboard, sign-in usable in an empty browser (${slow})`, 'signIn'),
    loaded('the same, loaded', 'signIn'),
    finding(`dashboard, home of a warm session, ${open} (${slow})`, 'home'),
    loaded('the same, loaded', 'home'),
    finding(`dashboard, queue of a warm session, ${open} (${slow})`, 'queue'),
    loaded('the same, loaded', 'queue'),
    finding(`dashboard, a key is answered (${slow})`, 'key'),
    finding(`dashboard, the next alert of the queue is shown (${slow})`, 'next'),
    finding('the same, CPU at full speed', 'fastNext'),
  ];
};
