import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { describeInBrowser } from '#test/support/browser.ts';
import { takePictures } from '#test/support/pictures.ts';
import { useStack } from '#test/support/stack.ts';
import { barriersFromHere, expectAccessible } from './axe.ts';
import { openAs, queueRows } from './people.ts';

/** Every screen with content: it shows that, has no barriers, and its policy blocks nothing of it. */
const service = await useStack({ withPast: true });

/** The content that must be there before a screen is checked. */
type Shown = { path: string; title: string | RegExp; shows: (page: Page) => Promise<unknown> };

const rows = (page: Page, list: RegExp) =>
  page.getByRole('list', { name: list }).getByRole('listitem').first().waitFor();
const table = (page: Page, caption: string) =>
  page.getByRole('table', { name: caption }).getByRole('row').nth(1).waitFor();

const list = (page: Page, caption: string) =>
  page.getByRole('region', { name: caption }).getByRole('listitem').first().waitFor();

const ofMerchants: readonly Shown[] = [
  {
    path: '/queue',
    title: 'Queue',
    shows: async (page) => {
      await queueRows(page).getByText('Payment held').first().waitFor();
      await page.getByRole('heading', { name: /^(Refund|Decline)\. / }).waitFor();
    },
  },
  { path: '/queue?tab=answered', title: 'Queue', shows: (page) => queueRows(page).first().waitFor() },
  {
    path: '/deliveries',
    title: /^(The endpoint of 1 site fails|No endpoint fails)$/,
    shows: async (page) => {
      await table(page, 'Deliveries');
      await page
        .getByRole('link', { name: /^Payment, \$/ })
        .first()
        .waitFor();
      await page.getByRole('link', { name: 'Notifications', exact: true }).waitFor();
      await page
        .getByRole('region', { name: 'How your endpoints answered' })
        .getByText(/accepted of \d/)
        .waitFor();
    },
  },
  { path: '/outcomes', title: /needs? you$/, shows: (page) => list(page, 'Answers sent to networks') },
  { path: '/payments', title: 'Payments', shows: (page) => rows(page, /^Payments/) },
  { path: '/3ds', title: /bear fraud/, shows: (page) => table(page, 'Authentications') },
  { path: '/chargebacks', title: /to answer|due this week/, shows: (page) => rows(page, /^Chargebacks/) },
  { path: '/credits', title: '$29.00 claimed from networks', shows: (page) => table(page, 'Credits') },
  {
    path: '/audit',
    title: 'Audit',
    shows: async (page) => {
      await page.getByText('Changed, values not logged: Conditions').first().waitFor();
      await page
        .getByText(/^Month: \w+ 20\d\d · /)
        .first()
        .waitFor();
    },
  },
  { path: '/orders', title: 'Orders', shows: (page) => rows(page, /^Orders/) },
  {
    path: '/lookups',
    title: /^Banks found an order in \d+ of/,
    shows: async (page) => {
      const entry = page.getByRole('listitem').filter({ hasText: 'web-7002' });
      await entry.getByRole('link', { name: 'Ada Example' }).waitFor();
      await entry.getByText(/was shown .+ · no alert so far/).waitFor();
    },
  },
  { path: '/rules?sid=1', title: 'Rules', shows: (page) => table(page, 'Rules') },
  { path: '/rules/new?sid=1', title: 'New rule', shows: (page) => page.getByLabel('Name').waitFor() },
  {
    path: '/reports?from=2026-03-01&to=2026-05-31',
    title: /Reports|saved/,
    shows: (page) => table(page, 'Alerts by the day or month in which they came in'),
  },
  { path: '/enrollments', title: 'Networks watch 3 descriptors', shows: (page) => list(page, 'Enrollment requests') },
  {
    path: '/settings',
    title: /^(Settings|The endpoint of 1 site fails)$/,
    shows: (page) => page.getByText(/Alerts · alerts go to 127\.0\.0\.1:\d+ · at most 72 h to answer fraud/).waitFor(),
  },
  { path: '/connections', title: 'Settings', shows: (page) => page.getByText('Connect a processor').waitFor() },
  { path: '/settings/1', title: 'Demo Shop', shows: (page) => page.getByLabel('New alerts go to').waitFor() },
  {
    path: '/settings/2',
    title: 'Demo Checkout',
    shows: (page) => page.getByRole('heading', { name: 'Payments' }).waitFor(),
  },
  {
    path: '/settings/2/processors',
    title: 'Demo Checkout',
    shows: (page) => page.getByText('payments go to the sandbox').waitFor(),
  },
  { path: '/settings/2/fees', title: 'Demo Checkout', shows: (page) => page.getByText('payers pay nothing').waitFor() },
  {
    path: '/settings/2/fraud-lists',
    title: 'Demo Checkout',
    shows: (page) => page.getByRole('heading', { name: 'Always refused' }).waitFor(),
  },
  {
    path: '/settings/2/order-profile',
    title: 'Demo Checkout',
    shows: async (page) => {
      await page.getByLabel('Shop name').waitFor();
      const shown = page.getByRole('region', { name: 'The page that banks show' });
      await shown
        .getByText(/^(Questions|Refunds): \S/)
        .first()
        .waitFor();
    },
  },
  { path: '/users', title: 'Users', shows: (page) => table(page, 'Users') },
  {
    path: '/api-keys',
    title: 'API keys',
    shows: (page) => page.getByText('Create a key for each program').waitFor(),
  },
  {
    path: '/account',
    title: 'Your account',
    shows: (page) => page.getByRole('button', { name: 'Set it up' }).waitFor(),
  },
  { path: '/help', title: 'Help', shows: (page) => page.getByRole('heading', { name: 'Keys' }).waitFor() },
  {
    path: '/nowhere',
    title: 'Nothing is here',
    shows: (page) => page.getByRole('link', { name: 'Go to Home' }).waitFor(),
  },
];

/** From a list to the first of its things. */
const ofOneThing: readonly Shown[] = [
  { path: '/deliveries', title: /^\w/, shows: (page) => page.getByRole('heading', { name: 'Attempts' }).waitFor() },
  {
    path: '/payments',
    title: 'Ada Example',
    shows: async (page) => {
      for (const name of ['Postbacks', 'How it went', 'As the cardholder sees it']) {
        await page.getByRole('heading', { name }).waitFor();
      }
    },
  },
  {
    path: '/3ds',
    title: /^\$\d+\.\d\d, Visa •••• \d{4}$/,
    shows: async (page) => {
      await page.getByRole('heading', { name: 'What the issuer said' }).waitFor();
      // The outcome is there once, and codes have words.
      expect(await page.getByText('Not authenticated').count()).toBe(1);
      await page.getByText('status N, reason 01, ECI 07').waitFor();
    },
  },
  {
    path: '/chargebacks',
    title: 'Cardholder denies purchase',
    shows: (page) => page.getByRole('heading', { name: 'History' }).waitFor(),
  },
  {
    path: '/credits',
    title: /\w/,
    shows: (page) => page.getByRole('heading', { name: 'As the cardholder sees it' }).waitFor(),
  },
  {
    path: '/orders',
    title: 'Ada Example',
    shows: (page) => page.getByRole('heading', { name: 'What banks can be shown' }).waitFor(),
  },
  {
    path: '/rules?sid=1',
    title: 'Refund small gifts',
    shows: (page) => page.getByRole('heading', { name: 'Versions' }).waitFor(),
  },
];

describeInBrowser('every screen', (open) => {
  const goTo = async (page: Page, path: string) => {
    await page.goto(`${service.url}/dashboard#${path}`);
  };
  const begin = async (person: 'admin' | 'merchant') => {
    const { page } = await openAs(open, service, service.credentials[person]);
    return page;
  };

  it('of a merchant shows its content, and has no barriers', async () => {
    const page = await begin('merchant');
    const barriers: string[] = [];
    for (const { path, title, shows } of ofMerchants) {
      await goTo(page, path);
      await page.getByRole('heading', { level: 1, name: title }).waitFor();
      await shows(page);
      await takePictures(page, `screen${path.replaceAll(/\W+/g, '-')}`);
      barriers.push(...(await barriersFromHere(page)).map((barrier) => `${path}: ${barrier}`));
    }
    // All of them at once: each screen takes its seconds.
    expect(barriers).toEqual([]);
  });

  it('of one thing shows all of it, and has no barriers', async () => {
    const page = await begin('merchant');
    const barriers: string[] = [];
    for (const { path, title, shows } of ofOneThing) {
      await goTo(page, path);
      await page.locator('tbody th a, .row a').first().click();
      await page.getByRole('heading', { name: title }).first().waitFor();
      await shows(page);
      barriers.push(...(await barriersFromHere(page)).map((barrier) => `${path}: ${barrier}`));
    }
    // All of them at once: each screen takes its seconds.
    expect(barriers).toEqual([]);
  });

  describe('of operators', () => {
    it('shows all merchants, or the one that is chosen', async () => {
      const page = await begin('admin');
      await goTo(page, '/payments');
      await page.getByText('Choose one at the top of the page').waitFor();
      await page.getByRole('button', { name: /All merchants/ }).click();
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /Demo Merchant/ })
        .click();
      await rows(page, /^Payments/);
      await goTo(page, '/admin/merchants');
      await table(page, 'Merchants');
      await page.getByRole('heading', { level: 2, name: 'Demo Merchant' }).waitFor();
      await expectAccessible(page);
      await goTo(page, '/admin/unmatched');
      const unmatched = page.getByRole('region', { name: 'Unmatched alerts' });
      await unmatched.getByRole('listitem').first().waitFor();
      await takePictures(page, 'unmatched');
      await expectAccessible(page);
      const before = await unmatched.getByRole('listitem').count();
      const all = unmatched.getByRole('button', { name: /^Assign all/ }).first();
      const count = Number((await all.textContent())?.match(/\d+/)?.[0]);
      await all.click();
      await page.getByRole('dialog').getByText('The network’s deadline does not wait for this.').waitFor();
      await expectAccessible(page);
      // One of them is refused: the others are assigned, and the message names it.
      let calls = 0;
      await page.route('**/assign', (route) => {
        calls += 1;
        return calls > 1 ? route.fallback() : route.fulfill({ status: 409, json: { msg: 'Another site has it' } });
      });
      await page.getByLabel('Find a site').fill('demo shop');
      await page.getByRole('dialog').getByRole('button', { name: 'Assign', exact: true }).click();
      await page
        .getByText(new RegExp(`^${count - 1} alerts? (was|were) assigned.* Not assigned: .*Another site has it`))
        .waitFor();
      await expect.poll(() => unmatched.getByRole('listitem').count(), { timeout: 20_000 }).toBe(before - count + 1);
    });
  });
});
