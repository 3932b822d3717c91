import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeInBrowser } from '#test/support/browser.ts';
import { receive } from '#test/support/personas.ts';
import { startStack, type TestStack } from '#test/support/stack.ts';
import { expectAccessible } from './axe.ts';
import { signInAs, unexpectedOf } from './people.ts';

/** What a person does with alerts: sees what is due first, looks at one, answers it, and many at once. */
let service: TestStack;
const hostile = `<img src=x onerror="window.stolen=1"> DEMO SHOP`;
beforeAll(async () => {
  service = await startStack();
  await receive(service, { type: 'CUSTOMER_DISPUTE', amount: { value: '12.50', currencyCode: 'USD' } });
  for (let n = 1; n <= 12; n += 1) {
    await receive(service, {
      type: 'CONFIRMED_FRAUD',
      amount: { value: `${n}.00`, currencyCode: 'USD' },
      issuer: hostile,
    });
  }
  await service.untilIdle();
});
afterAll(() => service.stop());

/** The page's own policy lets no script be made of text, so it cannot be asked to wait by itself. */
const patience = { timeout: 20_000 };

const table = (page: Page) => page.getByRole('table', { name: /^Alerts:/ });
const rows = (page: Page) =>
  table(page)
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader') });

describeInBrowser('the inbox', (open) => {
  const openInbox = async (path = '/dashboard') => {
    const opened = await open();
    await signInAs(opened.page, service, service.credentials.merchant, path);
    await table(opened.page).waitFor();
    return opened;
  };

  it('shows what is due first on top: fraud within a day before disputes within three', async () => {
    const { page, errors } = await openInbox();
    expect(await rows(page).count()).toBe(13);
    expect(await rows(page).first().textContent()).toContain('Fraud');
    expect(await rows(page).last().textContent()).toContain('12.50 USD');
    await expect.poll(() => page.title(), patience).toBe('(13) Inbox · Forewarn');
    expect(errors).toEqual([]);
  });

  it('says where a later page may hold something that is due earlier', async () => {
    const { page } = await openInbox();
    const note = page.getByText('Later pages may hold alerts that are due before the last of these.');
    expect(await note.count()).toBe(0);
    // As if there were more alerts of fraud, which are due within a day.
    await page.route('**/service_alerts/alerts', async (route) => {
      const asked = route.request().postDataJSON() as { alert_type: string[] };
      const { body } = await service.call('/api/v3/service_alerts/alerts', {
        token: await service.tokenOf('merchant'),
        body: asked,
      });
      const isFraud = asked.alert_type.includes('FRAUD');
      await route.fulfill({ json: { ...body, ...(isFraud && { next_cursor: 'more' }) } });
    });
    await page.reload();
    await note.waitFor();
  });

  it('reads no more than a page for what is due soon, where nothing is', async () => {
    const { page } = await openInbox();
    const sizes: number[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/service_alerts/alerts')) sizes.push(Number(request.postDataJSON().size));
    });
    await page.getByRole('link', { name: 'Due in 6 hours' }).click();
    await page.getByText('Nothing is waiting for you here.').waitFor();
    expect(sizes).toEqual([25, 25]);
  });

  it('comes back as it was left, and says nothing of that to the next person', async () => {
    const { page } = await openInbox();
    const inbox = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Inbox' });
    await page.getByRole('link', { name: 'In progress' }).click();
    await page.getByText('Nothing is waiting for you here.').waitFor();
    await page.getByRole('link', { name: 'Help' }).click();
    await page.getByRole('heading', { level: 1, name: 'Help' }).waitFor();
    await inbox.click();
    await expect.poll(() => page.url(), patience).toContain('#/?tab=progress');
    await page.getByText('Mara Manager').click();
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.getByLabel('Username').fill(service.credentials.admin.username);
    await page.getByLabel('Password', { exact: true }).fill(service.credentials.admin.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('link', { name: 'Help' }).click();
    await page.getByRole('heading', { level: 1, name: 'Help' }).waitFor();
    expect(await inbox.getAttribute('href')).toBe('#/');
  });

  it('says that it cannot be reached, and is there once it can', async () => {
    const { page } = await openInbox();
    await page.context().setOffline(true);
    await page.getByRole('link', { name: 'Answered' }).click();
    await page.getByText('The service cannot be reached').waitFor();
    await page.context().setOffline(false);
    await page.getByText('There are no such alerts.').waitFor();
    expect(await page.getByText('The service cannot be reached').count()).toBe(0);
  });

  it('keeps nobody out, and neither does an alert or the answer to it', async () => {
    const { page } = await openInbox();
    await expectAccessible(page);
    await rows(page).first().getByRole('link').click();
    await page.getByRole('heading', { level: 1, name: /^Alert \d+$/ }).waitFor();
    await page.getByRole('button', { name: 'Answer', exact: true }).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Answer', exact: true }).click();
    await page.getByRole('dialog').getByLabel('Reason').waitFor();
    await expectAccessible(page);
  });

  it('shows what belongs to an alert without leaving the list, by the keyboard too', async () => {
    const { page, errors } = await openInbox();
    const before = page.url();
    const opener = rows(page)
      .first()
      .getByRole('button', { name: /^Related to/ });
    await opener.focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: /^Related to alert/ });
    for (const name of ['Payment', 'Order', 'Notifications']) await dialog.getByRole('heading', { name }).waitFor();
    await dialog.getByRole('link', { name: 'New alert' }).waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(page.url()).toBe(before);
    expect(await opener.evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true);
    expect(errors).toEqual([]);
  });

  it('shows what others wrote as text, whatever it is', async () => {
    const { page, errors, outside } = await openInbox();
    await rows(page).first().getByRole('link').click();
    await page.getByText(hostile).waitFor();
    expect(await page.evaluate('window.stolen')).toBeUndefined();
    expect([errors, outside]).toEqual([[], []]);
  });

  describe('by the keyboard alone', () => {
    it('leads from row to row, to an alert, through its answer and back', async () => {
      const { page, errors } = await openInbox();
      await page.keyboard.press('j');
      const id = await page.locator(':focus').textContent();
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { level: 1, name: `Alert ${id}` }).waitFor();
      await page.getByRole('button', { name: 'Answer', exact: true }).waitFor();
      await page.keyboard.press('e');
      await page.getByRole('dialog').getByLabel('Reason').waitFor();
      await page.getByLabel('Outcome').focus();
      await page.keyboard.press('d');
      await page.getByLabel('Reason').focus();
      await page.keyboard.type('902');
      await page.getByRole('button', { name: 'Send the answer' }).focus();
      await page.keyboard.press('Enter');
      await page.getByRole('main').getByText('Declined').first().waitFor();
      await page.getByText('not refunded (902.002)').first().waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor();
      expect(unexpectedOf(errors)).toEqual([]);
      const details = await service.call(`/api/v3/service_alerts/alert/${id}/details`, {
        token: await service.tokenOf('merchant'),
      });
      expect(details.body).toMatchObject({ status: 'DECLINED', reason_code: '902.002' });
    });
  });

  it('presets no answer, and accepts a refund that was made elsewhere with its date', async () => {
    const { page, errors } = await openInbox();
    const link = rows(page).first().getByRole('link');
    const id = await link.textContent();
    await link.click();
    await page.getByRole('button', { name: 'Answer', exact: true }).click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.getByLabel('Outcome').inputValue()).toBe('');
    expect(await dialog.getByLabel('Reason').inputValue()).toBe('');
    await dialog.getByRole('button', { name: 'Send the answer' }).click();
    await dialog.getByLabel('Outcome').selectOption('RESOLVED');
    expect(await dialog.getByLabel('Reason').inputValue()).toBe('');
    await dialog.getByLabel('Reason').selectOption('100.001');
    await dialog.getByRole('button', { name: 'Send the answer' }).click();
    await dialog.getByText('No refund is recorded for this alert').waitFor();
    await dialog.getByLabel('Outcome').selectOption('ELSEWHERE');
    const details = async () =>
      (await service.call(`/api/v3/service_alerts/alert/${id}/details`, { token: await service.tokenOf('merchant') }))
        .body as { alert_date: string };
    await dialog.getByLabel('Refunded on').fill((await details()).alert_date.slice(0, 10));
    await dialog.getByLabel('Reference of the refund').fill('RF-1024');
    await dialog.getByRole('button', { name: 'Send the answer' }).click();
    await page.getByText('reported by merchant').waitFor();
    expect(await details()).toMatchObject({
      ...{ status: 'RESOLVED', reason_code: '100.001', refunded_by: 'merchant' },
      refunded_elsewhere: { reference: 'RF-1024' },
    });
    expect(unexpectedOf(errors)).toEqual([]);
  });

  it('demands the date of the refunds where many are answered as refunded', async () => {
    const { page } = await openInbox();
    for (const n of [0, 1]) await rows(page).nth(n).getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Answer 2', exact: true }).click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.getByLabel('Outcome').inputValue()).toBe('');
    await dialog.getByLabel('Outcome').selectOption('RESOLVED');
    await dialog.getByLabel('Reason').selectOption('103.001');
    expect(await dialog.getByLabel('Refunded on, for all of them').getAttribute('required')).not.toBeNull();
    await dialog.getByRole('button', { name: 'Answer 2' }).click();
    expect(await dialog.getByText('alerts answered').count()).toBe(0);
  });

  it('answers many at once, one refusal among them, and says what came of each', async () => {
    const { page } = await openInbox();
    const first = await rows(page).first().getByRole('link').textContent();
    for (const n of [0, 1, 2]) await rows(page).nth(n).getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Answer 3', exact: true }).click();
    await page.getByLabel('Outcome').selectOption('DECLINED');
    await page.getByLabel('Reason').selectOption('902.002');
    // Somebody else was faster with one of them.
    await service.call(`/api/v3/service_alerts/alert/${first}/update`, {
      token: await service.tokenOf('admin'),
      body: { status: 'RESOLVED', reason_code: '103.002' },
    });
    await page.getByRole('dialog').getByRole('button', { name: 'Answer 3' }).click();
    await page.getByText('2 alerts answered, 1 not.').waitFor();
    await page.getByText('The alert already has another outcome').waitFor();
    const before = await rows(page).count();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
    await expect.poll(() => rows(page).count(), patience).toBeLessThan(before);
  });

  it('keeps a note for colleagues, once, in the history of an alert', async () => {
    const { page, errors } = await openInbox();
    const id = await rows(page).last().getByRole('link').textContent();
    await rows(page).last().getByRole('link').click();
    await page.getByRole('button', { name: 'Note', exact: true }).click();
    await page.getByRole('dialog').getByLabel('Note').fill(`${hostile}\nAsk Ann.`);
    await expectAccessible(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Save the note' }).dblclick();
    await page.getByText('The note is in the history.').waitFor();
    await page.getByRole('main').getByText('Ask Ann.').waitFor();
    const { body } = await service.call(`/api/v3/service_alerts/alert/${id}/details`, {
      token: await service.tokenOf('merchant'),
    });
    expect(body).toMatchObject({ status: 'OPEN', provider_outcome: null });
    expect(JSON.stringify(body['history']).split('Ask Ann.')).toHaveLength(2);
    expect(errors).toEqual([]);
  });

  it('has refunds confirmed by typing where one is above what its site lets rules refund', async () => {
    const { mid, rid, sid } = service.credentials.site;
    await service.call(`/api/v3/site/mid/${mid}/rid/${rid}/sid/${sid}/alert`, {
      token: await service.tokenOf('admin'),
      body: { max_refund_amount: '11.50' },
    });
    const { page } = await openInbox();
    const ofAmount = (amount: string) => rows(page).filter({ has: page.getByText(amount, { exact: true }) });
    const dialog = page.getByRole('dialog');
    await ofAmount('11.00 USD').getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Refund 1', exact: true }).click();
    await dialog.getByLabel('Note for colleagues').waitFor();
    expect(await dialog.getByLabel('Type 1 to confirm').count()).toBe(0);
    await page.keyboard.press('Escape');
    await ofAmount('12.00 USD').getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Refund 2', exact: true }).click();
    await dialog.getByText('1 alert is above what the site lets its rules refund.').waitFor();
    const send = dialog.getByRole('button', { name: 'Refund 2' });
    await dialog.getByLabel('Type 2 to confirm').fill('3');
    await send.click();
    await dialog.getByText('Type 2 to confirm that you mean all of them.').waitFor();
    await dialog.getByLabel('Type 2 to confirm').fill('2');
    await send.click();
    await dialog.getByText('0 alerts refunded, 2 not.').waitFor();
  });

  it('lets who may not answer read, and nothing more', async () => {
    const admin = await service.tokenOf('admin');
    const sent = { username: 'dev', name: 'Dev', role: 'developer', mid: service.credentials.site.mid };
    const { body } = await service.call('/api/v3/users/create', { token: admin, body: sent });
    const token = String(body['setup_url']).split('token=')[1];
    await service.call('/api/v3/users/password', { body: { token, password: 'correct horse battery' } });
    const { page } = await open();
    await signInAs(page, service, { username: 'dev', password: 'correct horse battery' });
    await table(page).waitFor();
    expect(await page.getByRole('checkbox').count()).toBe(0);
    await rows(page).first().getByRole('link').click();
    await page.getByRole('heading', { name: 'History' }).waitFor();
    for (const name of ['Answer', 'Note']) {
      expect(await page.getByRole('button', { name, exact: true }).count()).toBe(0);
    }
  });
});
