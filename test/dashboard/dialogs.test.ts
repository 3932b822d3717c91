import { Secret, TOTP } from 'otpauth';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeInBrowser } from '#test/support/browser.ts';
import { useStack } from '#test/support/stack.ts';
import { findBarriers } from './axe.ts';
import { alertOfRow, disputedAlert, openAs, queueRows, sendNow, signInAs } from './people.ts';

/** Every dialog, and every form while it is filled in, with content: it has no barriers, and its opener has the focus after. */
const service = await useStack({ withPast: true });
const disputed = (await disputedAlert(service, 1)).alert_id;

/** The way to open each; `over`: it is no dialog, but a form in its place. */
type Opening = { name: string; path: () => string; open: (page: Page) => Promise<unknown>; isForm?: true };

const press = (page: Page, name: string | RegExp) =>
  page
    .getByRole('button', typeof name === 'string' ? { name, exact: true } : { name })
    .first()
    .click();
const findDialog = (page: Page) => page.getByRole('dialog');
const first = (page: Page) => page.locator('tbody th a, .row a').first().click();
const settings = (page: string) => `/settings/${service.credentials.payment_site.sid}/${page}`;
/** Selects some of the alerts that wait. */
const select = async (page: Page, count: number) => {
  const boxes = queueRows(page).getByRole('checkbox');
  await boxes.nth(count).waitFor();
  for (let n = 0; n < count; n += 1) await boxes.nth(n).check();
};
const alertPath = () => `/alerts/${disputed}`;

const ofMerchants: readonly Opening[] = [
  {
    name: 'answer',
    path: alertPath,
    open: async (page) => {
      await press(page, 'Other answer…');
      await findDialog(page).getByLabel('Outcome').selectOption('DECLINED');
    },
  },
  {
    name: 'refund of an alert',
    path: alertPath,
    open: async (page) => {
      await press(page, 'Refund another amount…');
      await findDialog(page).getByLabel('Amount in USD').waitFor();
    },
  },
  {
    name: 'refund that is refused',
    path: alertPath,
    open: async (page) => {
      await press(page, 'Refund another amount…');
      await findDialog(page).getByLabel('Amount in USD').fill('1,5');
      await press(page, 'Refund and answer');
      await findDialog(page).getByText('must be a decimal').first().waitFor();
    },
  },
  {
    name: 'refund of a charge',
    path: alertPath,
    open: async (page) => {
      await page.getByText('Fits the alert').waitFor();
      await press(page, /^Refund \d+/);
      await findDialog(page).getByLabel('Amount in USD').waitFor();
    },
  },
  { name: 'note', path: alertPath, open: (page) => press(page, 'Note') },
  {
    name: 'answer to many, confirmed by typing',
    path: () => '/queue',
    open: async (page) => {
      await select(page, 21);
      await press(page, 'Answer 21');
      await findDialog(page).getByLabel('Type 21 to confirm').waitFor();
    },
  },
  {
    name: 'refund of many, confirmed by typing',
    path: () => '/?tab=open',
    open: async (page) => {
      await select(page, 21);
      await press(page, 'Refund 21');
      await findDialog(page).getByLabel('Type 21 to confirm').waitFor();
    },
  },
  {
    name: 'refund of a payment',
    path: () => '/payments?tid=order-00060',
    open: async (page) => {
      await press(page, /^Refund up to/);
      await findDialog(page)
        .getByLabel(/^Amount in/)
        .waitFor();
    },
  },
  {
    name: 'saved views',
    path: () => '/payments',
    open: async (page) => {
      const openViews = async () => [await press(page, 'More actions'), await press(page, 'Saved views')];
      await openViews();
      await findDialog(page).getByLabel('Name').fill('All payments');
      await press(page, 'Save the current view');
      await openViews();
      await findDialog(page).getByRole('link', { name: 'All payments' }).waitFor();
    },
  },
  {
    name: 'filters',
    path: () => '/orders',
    open: async (page) => {
      await press(page, 'Filters');
      await page.getByLabel('Customer’s account').waitFor();
      await page.getByText('More filters').click();
      await page.getByLabel('Amount from').waitFor();
    },
  },
  {
    name: 'account',
    path: () => '/help',
    isForm: true,
    open: async (page) => {
      await page.getByText('Mara Manager').click();
      await page.getByRole('group', { name: 'Appearance' }).waitFor();
    },
  },
  { name: 'test alert', path: () => '/deliveries', open: (page) => press(page, 'Send a test alert') },
  {
    name: 'replay of what failed',
    path: () => '/deliveries',
    open: async (page) => {
      await press(page, 'Replay what failed');
      await findDialog(page)
        .getByRole('option', { name: /^Demo Shop/ })
        .waitFor({ state: 'attached' });
      await press(page, 'Count them');
      await findDialog(page)
        .getByRole('button', { name: /^Replay \d+$/ })
        .waitFor();
    },
  },
  {
    name: 'curl',
    path: () => '/deliveries?state=EXPIRED',
    open: async (page) => {
      await first(page);
      await press(page, 'As curl');
    },
  },
  {
    name: 'accept a chargeback',
    path: () => '/chargebacks',
    open: async (page) => {
      await first(page);
      await press(page, /^Accept the loss of/);
    },
  },
  {
    name: 'file of evidence',
    path: () => '/chargebacks?status=open',
    open: async (page) => {
      await first(page);
      await press(page, 'Add a file');
    },
  },
  { name: 'credit', path: () => '/credits', open: (page) => press(page, /the credit of alert/) },
  { name: 'figures', path: () => '/reports', open: (page) => press(page, 'Enter figures') },
  { name: 'enroll', path: () => '/enrollments', open: (page) => press(page, 'Enroll a descriptor') },
  {
    name: 'items, one to be unenrolled',
    path: () => '/enrollments',
    open: async (page) => {
      await press(page, /descriptors? of request/);
      await press(page, /^Unenroll/);
      await findDialog(page).getByText('Sure?').waitFor();
    },
  },
  {
    name: 'rule that was tried',
    path: () => '/rules?sid=1',
    isForm: true,
    open: async (page) => {
      await first(page);
      await press(page, 'Edit');
      await press(page, 'Try it on the last 30 days');
      await page.getByText('Which alerts').click();
      await page.getByRole('table', { name: 'Alerts it applies to' }).waitFor();
    },
  },
  {
    name: 'processors',
    path: () => settings('processors'),
    isForm: true,
    open: async (page) => {
      await press(page, 'Change them');
      await press(page, 'Add a processor');
      await page.getByLabel('Secret key').waitFor();
      await page.getByLabel('Processor', { exact: true }).selectOption({ label: 'NMI' });
      await page.getByLabel('Security key').waitFor();
      await page.getByLabel('American Express').waitFor();
    },
  },
  {
    name: 'addition to a fraud list',
    path: () => settings('fraud-lists'),
    isForm: true,
    open: async (page) => {
      await page.getByText('Add to “always refused”').click();
      await page.getByRole('textbox', { name: 'E-mail address' }).first().waitFor();
    },
  },
  { name: 'rotation', path: () => '/settings/1', open: (page) => press(page, 'Rotate the rcode') },
  {
    name: 'secret that is shown once',
    path: () => '/settings/1',
    open: async (page) => {
      await press(page, 'Rotate the signing secret');
      await press(page, 'Rotate it');
      await page.getByRole('dialog', { name: 'The new signing secret' }).waitFor();
    },
  },
  { name: 'user', path: () => '/users', open: (page) => press(page, 'Add a user') },
  {
    name: 'link for a user',
    path: () => '/users',
    open: async (page) => {
      await press(page, 'Add a user');
      await findDialog(page).getByLabel('Username').fill('dora');
      await findDialog(page).getByLabel('Name', { exact: true }).fill('Dora Dialog');
      await press(page, 'Add');
      await page.getByRole('dialog', { name: 'Link to set their password' }).waitFor();
    },
  },
  { name: 'change of a user', path: () => '/users', open: (page) => press(page, /^Change dora@m\d+$/) },
  {
    name: 'user to be switched off',
    path: () => '/users',
    open: async (page) => {
      await press(page, /^Change dora@m\d+$/);
      await findDialog(page).getByLabel('May no longer sign in').check();
      await press(page, 'Save');
      await page.getByRole('dialog', { name: /^Switch off dora@m\d+\?$/ }).waitFor();
    },
  },
  {
    name: 'rule on trial that is to answer',
    path: () => '/rules?sid=1',
    open: async (page) => {
      await page.getByRole('link', { name: 'Refund small disputes' }).click();
      await press(page, 'Let it answer…');
    },
  },
  { name: 'rule to be disabled', path: () => '/rules?sid=1', open: (page) => press(page, /^Disable/) },
  {
    name: 'results of an answer to many',
    path: () => '/?tab=open',
    open: async (page) => {
      await select(page, 2);
      await press(page, 'Answer 2');
      await findDialog(page).getByLabel('Outcome').selectOption('DECLINED');
      await findDialog(page).getByLabel('Reason').selectOption('902.002');
      // Another user was faster with one of them.
      const id = await alertOfRow(page.locator('.row.picked').first());
      await service.call(`/api/v3/service_alerts/alert/${id}/update`, {
        token: await service.tokenOf('admin'),
        body: { status: 'RESOLVED', reason_code: '103.002' },
      });
      await findDialog(page).getByRole('button', { name: 'Answer 2' }).click();
      await sendNow(page);
      await findDialog(page).getByText('1 alert answered, 1 not.').waitFor();
    },
  },
  {
    name: 'second factor',
    path: () => '/account',
    isForm: true,
    open: async (page) => {
      await press(page, 'Set it up');
      await page.getByRole('img', { name: 'QR code of the key below' }).waitFor();
    },
  },
];

const ofOperators: readonly Opening[] = [
  {
    name: 'merchants',
    path: () => '/queue',
    open: async (page) => {
      await press(page, /All merchants/);
      await findDialog(page)
        .getByRole('button', { name: /Demo Merchant/ })
        .waitFor();
    },
  },
  {
    name: 'fees',
    path: () => settings('fees'),
    isForm: true,
    open: async (page) => {
      await press(page, 'Change the fees');
      await press(page, 'Add a fee');
      await page.getByLabel('Percent').fill('much');
      await press(page, 'Save the fees');
      await page.locator('.problem').first().waitFor();
    },
  },
  { name: 'change of a user', path: () => '/users', open: (page) => press(page, 'Change demo') },
  { name: 'assignment', path: () => '/admin/unmatched', open: (page) => beginAssignment(page) },
  {
    name: 'assignment to a site that is found',
    path: () => '/admin/unmatched',
    open: async (page) => {
      await beginAssignment(page);
      await findDialog(page).getByLabel('Find a site').fill('demo shop');
      await findDialog(page)
        .getByRole('option', { name: /^Demo Shop/ })
        .first()
        .waitFor({ state: 'attached' });
    },
  },
  {
    name: 'assignment for which there is no site',
    path: () => '/admin/unmatched',
    open: async (page) => {
      await beginAssignment(page);
      await findDialog(page).getByLabel('Find a site').fill('no such site');
      await findDialog(page).getByText('No site has that name.').waitFor();
    },
  },
  {
    name: 'assignment that is refused',
    path: () => '/admin/unmatched',
    open: async (page) => {
      await beginAssignment(page);
      // Another operator was faster.
      await page.route('**/assign', (route) =>
        route.fulfill({
          status: 409,
          json: { msg: 'Conflict', details: 'alert_id: another site has it.', code: 'alert_already_assigned' },
        }),
      );
      await findDialog(page).getByRole('button', { name: 'Assign' }).click();
      await findDialog(page).getByRole('alert').waitFor();
    },
  },
];

const beginAssignment = async (page: Page) => {
  await press(page, /^Assign alert/);
  await findDialog(page)
    .getByRole('option', { name: /^Demo Shop/ })
    .first()
    .waitFor({ state: 'attached' });
};

describeInBrowser('every dialog and form', (open) => {
  /** Checks each in turn, on a reloaded page: all barriers at once, as each takes its seconds. */
  const barriersIn = async (page: Page, openings: readonly Opening[]): Promise<string[]> => {
    const barriers: string[] = [];
    for (const { name, path, open: begin, isForm } of openings) {
      await page.goto(`${service.url}/dashboard#/help`);
      await page.getByRole('heading', { level: 1, name: 'Help' }).waitFor();
      await page.setViewportSize({ width: 1280, height: 800 });
      await page.goto(`${service.url}/dashboard#${path()}`);
      await begin(page);
      if (!isForm) await findDialog(page).last().waitFor();
      barriers.push(...(await findBarriers(page)).map((barrier) => `${name}: ${barrier}`));
      if (isForm) continue;
      for (let above = (await findDialog(page).count()) - 1; above >= 0; above -= 1) {
        await page.keyboard.press('Escape');
        await findDialog(page).nth(above).waitFor({ state: 'detached' });
      }
      const isLost = await page.evaluate<boolean>('document.activeElement === document.body');
      if (isLost) barriers.push(`${name}: nothing has the focus once it is closed`);
    }
    return barriers;
  };

  it('of a merchant has no barriers, and gives the focus back', async () => {
    const { page } = await openAs(open, service);
    expect(await barriersIn(page, ofMerchants)).toEqual([]);
  });

  it('of operators has no barriers, and gives the focus back', async () => {
    const { page } = await openAs(open, service, service.credentials.admin);
    expect(await barriersIn(page, ofOperators)).toEqual([]);
  });

  it('that shows recovery codes has no barriers', async () => {
    const username = 'rory';
    const password = 'correct horse battery';
    const { body } = await service.call('/api/v3/users/create', {
      token: await service.tokenOf('merchant'),
      body: { username, name: 'Rory Recovers', role: 'analyst' },
    });
    const { page } = await open();
    await page.goto(String(body['setup_url']));
    await page.getByLabel('New password').fill(password);
    await press(page, 'Set the password');
    await page.getByText('Your password is set.').waitFor();
    await signInAs(page, service, { username: String(body['username']), password });
    await page.goto(`${service.url}/dashboard#/account`);
    await press(page, 'Set it up');
    const key = ((await page.locator('p .code').textContent()) ?? '').replaceAll(' ', '');
    const code = new TOTP({ secret: Secret.fromBase32(key) }).generate({ timestamp: service.clock.now().getTime() });
    await page.getByLabel('Code', { exact: true }).fill(code);
    await press(page, 'Continue');
    await page.getByRole('dialog', { name: 'Your recovery codes' }).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await press(page, 'I have saved them');
    await findDialog(page).waitFor({ state: 'detached' });
    expect(await page.evaluate('document.activeElement === document.body')).toBe(false);
  });

  it('that reports the end of the session has no barriers, and typed text stays', async () => {
    const { page } = await openAs(open, service);
    await page.goto(`${service.url}/dashboard#/alerts/${disputed}`);
    await press(page, 'Note');
    await findDialog(page).getByLabel('Note').fill('Ask Ann.');
    await service.clock.advance('PT3H');
    await press(page, 'Save the note');
    const ended = page.getByRole('dialog', { name: 'Sign in again' });
    await ended.waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await ended.getByLabel('Password', { exact: true }).fill(service.credentials.merchant.password);
    await ended.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('The note is in the history.').waitFor();
  });

  it('that asks for the password again has no barriers', async () => {
    const { page } = await openAs(open, service);
    await service.clock.advance('PT20M');
    await page.goto(`${service.url}/dashboard#/settings/1`);
    await press(page, 'Rotate the rcode');
    await press(page, 'Rotate it');
    await page.getByRole('dialog', { name: 'Confirm that it is you' }).waitFor();
    expect(await findBarriers(page)).toEqual([]);
  });
});
