import { expect, it } from 'vitest';
import { describeInBrowser } from '#test/support/browser.ts';
import { useStack } from '#test/support/stack.ts';
import { expectAccessible } from './axe.ts';
import { openAs, queueRows } from './people.ts';

/** The first screen after sign-in, for a merchant with and without history. */
const service = await useStack({ withPast: true });

describeInBrowser('Home', (open) => {
  it('shows the money at risk, what needs a person and how the month goes, and leads to the queue', async () => {
    const { page, errors } = await openAs(open, service);
    for (const name of [
      ...['Money at risk now', 'Needs a person', 'Saved this month', 'Rules this month', 'Connections'],
    ])
      await page.getByRole('heading', { level: 2, name }).waitFor();
    await page.getByText('Chargebacks avoided by refunds in time').waitFor();
    await page.getByRole('img', { name: 'Amounts due by three hours' }).waitFor();
    // The decision is the title; what has no exchange rate is named and left out.
    await page.getByRole('heading', { level: 1, name: /alerts? .*(within six hours|past their deadline)/ }).waitFor();
    expect(await page.title()).toMatch(/Home · Forewarn$/);
    await page
      .getByText(/^seen .* ago$/)
      .first()
      .waitFor();
    await page.getByText('Figures as a table').click();
    await page.getByRole('rowheader').first().waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: /^Decide (\d+ alerts?|it first|these \d+ first)$/ }).click();
    await page.getByRole('heading', { level: 1, name: 'Queue' }).waitFor();
    await queueRows(page).first().waitFor();
    expect(errors).toEqual([]);
  });

  it('reads the open alerts once, although the first revision arrives meanwhile', async () => {
    const { page } = await openAs(open, service);
    await page.locator('.at-risk .big-figure').waitFor();
    await page.waitForLoadState('networkidle');
    const chargebacks = '**/api/v3/service_alerts/chargebacks/list';
    await page.route('**/alerts/pulse', async (route) => {
      await isReading;
      await route.continue();
    });
    const isReading = page.waitForRequest(chargebacks);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.reload();
    await page.locator('.at-risk .big-figure').waitFor();
    await page.waitForLoadState('networkidle');
    expect(asked).toContain('/api/v3/service_alerts/alerts/pulse');
    expect(asked.filter((path) => path === '/api/v3/service_alerts/chargebacks/list')).toHaveLength(1);
  });

  it('names a single chargeback in the singular', async () => {
    const { page } = await openAs(open, service);
    await page.route('**/api/v3/service_alerts/chargebacks/list', async (route) => {
      const response = await route.fetch();
      const { list, ...rest } = await response.json();
      await route.fulfill({ response, json: { ...rest, list: list.slice(0, 1) } });
    });
    await page.reload();
    await page.getByRole('link', { name: /^1\s*Chargeback to contest or accept/ }).waitFor();
  });

  it('redirects an old link to the queue', async () => {
    const { page } = await openAs(open, service, service.credentials.merchant, '/dashboard#/?tab=late');
    await page.getByRole('heading', { level: 1, name: 'Queue' }).waitFor();
    expect(page.url()).toContain('#/queue?tab=late');
  });

  it('shows the first steps as links to a merchant without any setup', async () => {
    const admin = await service.tokenOf('admin');
    const { body } = await service.call('/api/v3/merchant/create', {
      token: admin,
      body: { name: 'New Shop', alerts: true },
    });
    const sent = { username: 'new-manager', name: 'Nora New', role: 'manager', mid: body['mid'] };
    const made = await service.call('/api/v3/users/create', { token: admin, body: sent });
    const token = String(made.body['setup_url']).split('token=')[1];
    await service.call('/api/v3/users/password', { body: { token, password: 'correct horse battery' } });
    const { page, errors } = await openAs(open, service, {
      username: 'new-manager',
      password: 'correct horse battery',
    });
    await page.getByRole('heading', { name: 'First steps, 0 of 7 done' }).waitFor();
    // The next step is the title, and parts that are still empty are left out.
    await page.getByRole('heading', { level: 1, name: 'Create a site for alerts' }).waitFor();
    expect(await page.getByRole('heading', { name: 'Money at risk now' }).count()).toBe(0);
    expect(await page.getByRole('link', { name: 'Make a rule' }).getAttribute('href')).toBe('#/rules');
    await expectAccessible(page);
    expect(errors).toEqual([]);
  });

  it('leads to a report against the month before, which prints on one page', async () => {
    const { page, errors } = await openAs(open, service, service.credentials.merchant, '/dashboard#/reports');
    for (const name of ['By network', 'By reason', 'By issuer', 'By rule and person'])
      await page.getByRole('heading', { level: 2, name }).waitFor();
    await page
      .getByRole('heading', { level: 1, name: /^\$[\d,.]+ saved after fees, [+−]?\d+% against the period before$/ })
      .waitFor();
    await page
      .getByText(/^Converted at .*Sample rates/)
      .first()
      .waitFor();
    await page.waitForLoadState('networkidle');
    await expectAccessible(page);
    const paper = (await page.pdf({ format: 'A4' })).toString('latin1');
    expect(paper.match(/\/Type\s*\/Page\b/g)).toHaveLength(1);
    expect(errors).toEqual([]);
  });
});
