import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { describeInBrowser } from '#test/support/browser.ts';
import { receive } from '#test/support/personas.ts';
import { useStack } from '#test/support/stack.ts';
import { expectAccessible } from './axe.ts';
import { alertOfRow, findPane, openAs, queueRows, sendNow, signInAs } from './people.ts';

/** The work with alerts: see what is due first, open one, answer it, and many at once. */
const service = await useStack();
const hostile = `<img src=x onerror="window.stolen=1"> DEMO SHOP`;
beforeAll(async () => {
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

/** The page's own policy lets no script be made of text, so it cannot be asked to wait by itself. */
const patience = { timeout: 20_000 };

const rows = queueRows;
const findDialog = (page: Page) => page.getByRole('dialog');

describeInBrowser('the queue', (open) => {
  const openQueue = async (path = '/dashboard#/queue') => {
    const opened = await open();
    await signInAs(opened.page, service, service.credentials.merchant, path);
    await rows(opened.page).first().waitFor();
    return opened;
  };

  it('shows what is due first on top', async () => {
    const { page, errors } = await openQueue();
    expect(await rows(page).count()).toBe(13);
    const { body } = await service.call('/api/v3/service_alerts/alerts', {
      token: await service.tokenOf('merchant'),
      body: { status: ['OPEN', 'WIP', 'OTHER'], size: 100 },
    });
    const list = body['list'] as readonly { alert_id: string; deadline: string }[];
    const deadlines = new Map(list.map(({ alert_id: id, deadline }) => [String(id), deadline]));
    const shown = await Promise.all((await rows(page).all()).map(alertOfRow));
    expect(shown.map((id) => deadlines.get(id))).toEqual([...deadlines.values()].sort());
    await expect.poll(() => page.title(), patience).toBe('(13) Queue · Forewarn');
    expect(errors).toEqual([]);
  });

  it('says where a later page may hold something that is due earlier', async () => {
    const { page } = await openQueue();
    const note = page.getByText('Later pages may hold alerts that are due before the last of these.');
    expect(await note.count()).toBe(0);
    // As if there were more alerts of fraud, and the others were due two days later than they.
    const twoDaysLater = (deadline: string) => new Date(Date.parse(deadline) + 2 * 86_400_000).toISOString();
    await page.route('**/service_alerts/alerts', async (route) => {
      const asked = route.request().postDataJSON() as { alert_type: string[] };
      const { body } = await service.call('/api/v3/service_alerts/alerts', {
        token: await service.tokenOf('merchant'),
        body: asked,
      });
      const list = (body['list'] as { deadline: string }[]).map((row) => ({
        ...row,
        deadline: twoDaysLater(row.deadline),
      }));
      const isFraud = asked.alert_type.includes('FRAUD');
      await route.fulfill({ json: { ...body, ...(isFraud ? { next_cursor: 'more' } : { list }) } });
    });
    await page.reload();
    await note.waitFor();
  });

  it('reads only one page to find out that no alert is late', async () => {
    const { page } = await openQueue();
    const sizes: number[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/service_alerts/alerts')) sizes.push(Number(request.postDataJSON().size));
    });
    await page.getByRole('link', { name: 'Late' }).click();
    await page.getByText('Nothing is late.').waitFor();
    // The counts of the tabs are read by pages of 200, some time later.
    expect(sizes.filter((size) => size !== 200)).toEqual([25, 25]);
  });

  it('returns in its last state, and shows nothing of that to the next person', async () => {
    const { page } = await openQueue();
    const queue = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Queue' });
    await page.getByRole('link', { name: 'In progress' }).click();
    await page.getByText('Nothing is in progress.').waitFor();
    await page.getByRole('link', { name: 'Help' }).click();
    await page.getByRole('heading', { level: 1, name: 'Help' }).waitFor();
    await queue.click();
    await expect.poll(() => page.url(), patience).toContain('#/queue?tab=progress');
    await page.getByText('Mara Manager').click();
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.getByLabel('Username').fill(service.credentials.admin.username);
    await page.getByLabel('Password', { exact: true }).fill(service.credentials.admin.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('link', { name: 'Help' }).click();
    await page.getByRole('heading', { level: 1, name: 'Help' }).waitFor();
    expect(await queue.getAttribute('href')).toBe('#/queue');
  });

  it('says that it cannot be reached, and is there once it can', async () => {
    const { page, provoked } = await openQueue();
    provoked.push(/ERR_INTERNET_DISCONNECTED/);
    await page.context().setOffline(true);
    await page.getByRole('link', { name: 'Answered' }).click();
    await page.getByText('The service cannot be reached').first().waitFor();
    await page.context().setOffline(false);
    await page.getByText('There are no such alerts.').waitFor();
    expect(await page.getByText('The service cannot be reached').count()).toBe(0);
  });

  it('has no barriers, and neither does an alert or the answer to it', async () => {
    const { page } = await openQueue();
    await findPane(page).getByText('Refund').first().waitFor();
    await expectAccessible(page);
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto(`${service.url}/dashboard#/alerts/${await alertOfRow(rows(page).first())}`);
    await page.getByRole('heading', { level: 1, name: 'Cardholder denies purchase' }).waitFor();
    await page.getByRole('button', { name: 'Other answer…' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Other answer…' }).click();
    await findDialog(page).getByLabel('Reason').waitFor();
    await expectAccessible(page);
  });

  it('shows an alert next to the list, by mouse and by keyboard', async () => {
    const { page, errors } = await openQueue();
    const second = await alertOfRow(rows(page).nth(1));
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await findPane(page).getByText(second, { exact: true }).waitFor();
    await findPane(page)
      .getByRole('heading', { name: /^Decline\. No charge of yours matches it\./ })
      .waitFor();
    for (const name of ['Matched charge', 'What each answer costs', 'Notifications', 'References', 'History'])
      await findPane(page).getByRole('heading', { name }).waitFor();
    await findPane(page).getByRole('link', { name: 'New alert' }).waitFor();
    expect(page.url()).toContain(`alert=${second}`);
    await page.keyboard.press('k');
    await findPane(page)
      .getByText(await alertOfRow(rows(page).first()), { exact: true })
      .waitFor();
    // The recommendation of an opened alert stays in its row.
    await rows(page).nth(1).getByText('Decline', { exact: true }).waitFor();
    expect(errors).toEqual([]);
  });

  it('shows one thing at a time on a phone, with the way back', async () => {
    const { page, errors } = await openQueue();
    await page.setViewportSize({ width: 390, height: 844 });
    await findPane(page).waitFor({ state: 'hidden' });
    await rows(page).nth(2).getByRole('link').click();
    await page.getByRole('button', { name: 'Decline with evidence…' }).waitFor();
    expect(await rows(page).first().isVisible()).toBe(false);
    await page.getByRole('main').getByRole('link', { name: 'Queue' }).click();
    await rows(page).first().waitFor();
    expect(errors).toEqual([]);
  });

  it('shows what others wrote as text, whatever it is', async () => {
    const { page, errors } = await openQueue();
    await rows(page).first().getByRole('link').click();
    await page.getByText(hostile).first().waitFor();
    expect(await page.evaluate('window.stolen')).toBeUndefined();
    expect(errors).toEqual([]);
  });

  describe('by the keyboard alone', () => {
    it('declines an alert, undoes it, declines it again, and opens the next by itself', async () => {
      const { page } = await openQueue();
      const [id, next] = [await alertOfRow(rows(page).first()), await alertOfRow(rows(page).nth(1))];
      const statusOf = async () =>
        (await service.call(`/api/v3/service_alerts/alert/${id}/details`, { token: await service.tokenOf('merchant') }))
          .body;
      const decline = async () => {
        await page.keyboard.press('3');
        // The code that the facts suggest is chosen, and can be changed.
        await expect.poll(() => findDialog(page).getByLabel('Reason').inputValue(), patience).toBe('902.002');
        await page.getByRole('button', { name: 'Send the answer' }).focus();
        await page.keyboard.press('Enter');
        await page.getByRole('button', { name: 'Undo' }).waitFor();
      };
      await page.keyboard.press('j');
      await findPane(page)
        .getByRole('heading', { name: /^Decline\./ })
        .waitFor();
      await decline();
      await findPane(page).getByText(next, { exact: true }).waitFor();
      await page.keyboard.press('z');
      await page.getByText('Undone. Nothing was sent.').waitFor();
      expect(await statusOf()).toMatchObject({ status: 'OPEN' });
      await rows(page)
        .and(page.locator(`[data-row="${id}"]`))
        .waitFor();
      await page.keyboard.press('k');
      await findPane(page).getByText(id, { exact: true }).waitFor();
      await findPane(page)
        .getByRole('heading', { name: /^Decline\./ })
        .waitFor();
      await decline();
      await sendNow(page);
      await page.getByText('Answered. The network is notified.').waitFor();
      expect(await statusOf()).toMatchObject({ status: 'DECLINED', reason_code: '902.002' });
    });

    it('answers neither the selected nor the open alert while the actions for the selected are fetched', async () => {
      const { page } = await open();
      const { promise: isFetched, resolve: fetch } = Promise.withResolvers<void>();
      await page.route('**/answer-dialogs-*.js', (route) => isFetched.then(() => route.continue()));
      await signInAs(page, service, service.credentials.merchant, '/dashboard#/queue');
      await findPane(page).getByRole('button', { name: 'Other answer…' }).waitFor();
      await page.keyboard.press('x');
      await page.getByText('1 selected').waitFor();
      await page.keyboard.press('3');
      fetch();
      await page.getByRole('button', { name: 'Decline 1' }).waitFor();
      expect(await findDialog(page).count()).toBe(0);
    });

    it('sends nothing for ten seconds, and then by itself', async () => {
      const { page } = await open();
      await page.clock.install();
      await signInAs(page, service, service.credentials.merchant, '/dashboard#/queue');
      await rows(page).first().waitFor();
      const id = await alertOfRow(rows(page).last());
      const sent: string[] = [];
      page.on('request', (request) => {
        if (request.url().endsWith('/update')) sent.push(request.url());
      });
      await rows(page).last().getByRole('link').click();
      await findPane(page).getByText(id, { exact: true }).waitFor();
      await page.keyboard.press('3');
      await findDialog(page).getByLabel('Reason').selectOption('902.002');
      // From here on only the test moves the page's clock, however slow the machine is.
      await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1000);
      await page.getByRole('button', { name: 'Send the answer' }).click();
      await page.getByRole('button', { name: 'Undo' }).waitFor();
      await page.clock.runFor(9000);
      expect(sent).toEqual([]);
      await page.clock.runFor(1500);
      await expect.poll(() => sent.length, patience).toBe(1);
    });
  });

  it('presets no answer, and accepts a refund that was made elsewhere with its date', async () => {
    const { page } = await openQueue();
    const id = await alertOfRow(rows(page).first());
    await page.goto(`${service.url}/dashboard#/alerts/${id}`);
    await page.getByRole('button', { name: 'Other answer…' }).click();
    const dialog = findDialog(page);
    expect(await dialog.getByLabel('Outcome').inputValue()).toBe('');
    expect(await dialog.getByLabel('Reason').inputValue()).toBe('');
    await dialog.getByRole('button', { name: 'Send the answer' }).click();
    await dialog.getByLabel('Outcome').selectOption('RESOLVED');
    expect(await dialog.getByLabel('Reason').inputValue()).toBe('');
    await dialog.getByLabel('Reason').selectOption('100.001');
    await dialog.getByRole('button', { name: 'Send the answer' }).click();
    await sendNow(page);
    await page.getByText('No refund is recorded for this alert').waitFor();
    await page.getByRole('button', { name: 'Already refunded elsewhere…' }).click();
    // The date is what counts: a code for it is found, and the first field is the date.
    expect(await dialog.getByLabel('Reason').inputValue()).toBe('951.001');
    expect(await dialog.getByLabel('Outcome').count()).toBe(0);
    await dialog.getByLabel('Reason').selectOption('100.001');
    const details = async () =>
      (await service.call(`/api/v3/service_alerts/alert/${id}/details`, { token: await service.tokenOf('merchant') }))
        .body as { alert_date: string };
    await dialog.getByLabel('Refunded on').fill((await details()).alert_date.slice(0, 10));
    await dialog.getByLabel('Reference of the refund').fill('RF-1024');
    await dialog.getByRole('button', { name: 'Send the answer' }).click();
    await sendNow(page);
    await page.getByText('reported by merchant', { exact: true }).waitFor();
    expect(await details()).toMatchObject({
      ...{ status: 'RESOLVED', reason_code: '100.001', refunded_by: 'merchant' },
      refunded_elsewhere: { reference: 'RF-1024' },
    });
  });

  it('marks an alert as in progress by a key, and shows it under that', async () => {
    const { page, errors } = await openQueue();
    const id = await alertOfRow(rows(page).last());
    await rows(page).last().getByRole('link').click();
    await findPane(page).getByText(id, { exact: true }).waitFor();
    await page.keyboard.press('w');
    await page.getByText('In progress. The alert still awaits its answer.').waitFor();
    await page.getByRole('link', { name: 'In progress' }).click();
    await rows(page)
      .and(page.locator(`[data-row="${id}"]`))
      .waitFor();
    expect(errors).toEqual([]);
  });

  it('demands the date of the refunds where many are answered as refunded', async () => {
    const { page } = await openQueue();
    for (const n of [0, 1]) await rows(page).nth(n).getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Answer 2', exact: true }).click();
    const dialog = findDialog(page);
    expect(await dialog.getByLabel('Outcome').inputValue()).toBe('');
    await dialog.getByLabel('Outcome').selectOption('RESOLVED');
    await dialog.getByLabel('Reason').selectOption('103.001');
    expect(await dialog.getByLabel('Refunded on, for all of them').getAttribute('required')).not.toBeNull();
    await dialog.getByRole('button', { name: 'Answer 2' }).click();
    expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0);
  });

  it('answers many at once, one refusal among them, and shows the result of each', async () => {
    const { page } = await openQueue();
    const first = await alertOfRow(rows(page).first());
    for (const n of [0, 1, 2]) await rows(page).nth(n).getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Decline 3', exact: true }).click();
    await findDialog(page).getByLabel('Reason').selectOption('902.002');
    // Another user was faster with one of them.
    await service.call(`/api/v3/service_alerts/alert/${first}/update`, {
      token: await service.tokenOf('admin'),
      body: { status: 'RESOLVED', reason_code: '103.002' },
    });
    await page.getByRole('dialog').getByRole('button', { name: 'Answer 3' }).click();
    await sendNow(page);
    await page.getByText('2 alerts answered, 1 not.').waitFor();
    await page.getByText('It was answered already.').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
    await expect
      .poll(
        () =>
          rows(page)
            .and(page.locator(`[data-row="${first}"]`))
            .count(),
        patience,
      )
      .toBe(0);
  });

  it('selects at most a hundred alerts, and again on the next page', async () => {
    const { page } = await openQueue();
    // As if each list had many more alerts.
    await page.route('**/service_alerts/alerts', async (route) => {
      const { alert_type: types, cursor } = route.request().postDataJSON() as { alert_type: string[]; cursor?: string };
      const { body } = await service.call('/api/v3/service_alerts/alerts', {
        token: await service.tokenOf('merchant'),
        body: { status: ['OPEN'], size: 1 },
      });
      const [row] = body['list'] as [object];
      const from = (types.includes('FRAUD') ? 1000 : 2000) + (cursor === undefined ? 0 : 500);
      const list = Array.from({ length: 60 }, (_, n) => ({ ...row, alert_id: from + n, alert_type: types[0] }));
      await route.fulfill({ json: { ...body, list, next_cursor: 'more' } });
    });
    await page.reload();
    await expect.poll(() => rows(page).count(), patience).toBe(120);
    await rows(page).first().getByRole('checkbox').check();
    await rows(page)
      .last()
      .getByRole('checkbox')
      .click({ modifiers: ['Shift'] });
    await page.getByText('100 selected').waitFor();
    expect(await rows(page).last().getByRole('checkbox').isChecked()).toBe(false);
    await page.getByRole('link', { name: 'Next page' }).click();
    await rows(page).and(page.locator('[data-row="1500"]')).getByRole('checkbox').check();
    await page.getByText('1 selected').waitFor();
  });

  it('keeps a note for colleagues, once, in the history of an alert', async () => {
    const { page, errors } = await openQueue();
    const id = await alertOfRow(rows(page).last());
    await rows(page).last().getByRole('link').click();
    await page.getByRole('button', { name: 'Note', exact: true }).click();
    await page.getByRole('dialog').getByLabel('Note').fill(`${hostile}\nAsk Ann.`);
    await expectAccessible(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Save the note' }).dblclick();
    await page.getByText('The note is in the history.').waitFor();
    await findPane(page).getByText('Ask Ann.').waitFor();
    const { body } = await service.call(`/api/v3/service_alerts/alert/${id}/details`, {
      token: await service.tokenOf('merchant'),
    });
    expect(body).toMatchObject({ provider_outcome: null });
    expect(JSON.stringify(body['history']).split('Ask Ann.')).toHaveLength(2);
    expect(errors).toEqual([]);
  });

  it('has refunds confirmed by typing where one is above what its site lets rules refund', async () => {
    const { mid, rid, sid } = service.credentials.site;
    await service.call(`/api/v3/site/mid/${mid}/rid/${rid}/sid/${sid}/alert`, {
      token: await service.tokenOf('admin'),
      body: { max_refund_amount: '10.50' },
    });
    // Alerts of its own: those before may have been answered.
    for (const amount of ['10.03', '11.03'])
      await service.call('/secure/alerts/service_dummy', {
        token: await service.tokenOf('merchant'),
        body: {
          ...{ alert_type: 'FRAUD', descriptor: 'DEMO SHOP', amount, currency: 'USD', card: '411111******1111' },
          transaction_timestamp: service.clock.now().toISOString(),
        },
      });
    await service.untilIdle();
    const { page } = await openQueue();
    const ofAmount = (amount: string) =>
      rows(page).filter({ has: page.getByRole('strong').filter({ hasText: amount }) });
    const dialog = page.getByRole('dialog');
    await ofAmount('$10.03').getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Refund 1', exact: true }).click();
    await dialog.getByText('without one, the alert stays open').waitFor();
    expect(await dialog.getByLabel('Type 1 to confirm').count()).toBe(0);
    await page.keyboard.press('Escape');
    await ofAmount('$11.03').getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Refund 2', exact: true }).click();
    await dialog.getByText('1 alert is above what the site lets its rules refund.').waitFor();
    const send = dialog.getByRole('button', { name: 'Refund 2' });
    await dialog.getByLabel('Type 2 to confirm').fill('3');
    await send.click();
    await dialog.getByText('Type 2 to confirm that you mean all of them.').waitFor();
    await dialog.getByLabel('Type 2 to confirm').fill('2');
    await send.click();
    await sendNow(page);
    await dialog.getByText('0 alerts refunded, 2 not.').waitFor();
  });

  it('lets who may not answer read, and nothing more', async () => {
    const admin = await service.tokenOf('admin');
    const sent = { username: 'dev', name: 'Dev', role: 'developer', mid: service.credentials.site.mid };
    const { body } = await service.call('/api/v3/users/create', { token: admin, body: sent });
    const token = String(body['setup_url']).split('token=')[1];
    await service.call('/api/v3/users/password', { body: { token, password: 'correct horse battery' } });
    const { page } = await openAs(
      open,
      service,
      { username: 'dev', password: 'correct horse battery' },
      '/dashboard#/queue',
    );
    await rows(page).first().waitFor();
    expect(await page.getByRole('checkbox').count()).toBe(0);
    await rows(page).first().getByRole('link').click();
    await page.getByRole('heading', { name: 'History' }).waitFor();
    for (const name of ['Other answer…', 'Decline with evidence…', 'Note']) {
      expect(await page.getByRole('button', { name, exact: true }).count()).toBe(0);
    }
  });

  it('says when it is offline, shows what it could not fetch once it is back, and follows what others answer', async () => {
    const { page, provoked } = await openQueue();
    provoked.push(/ERR_INTERNET_DISCONNECTED/);
    await page.context().setOffline(true);
    await page.getByText(/^You are offline/).waitFor();
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Rules' }).click();
    await page.getByText('The service cannot be reached').first().waitFor();
    await page.context().setOffline(false);
    await page.getByRole('heading', { level: 1, name: /^(Rules|People)/ }).waitFor();
    await page.getByText(/^You are offline/).waitFor({ state: 'detached' });
    await page.goBack();
    const last = rows(page).last();
    const id = await alertOfRow(last);
    await last.getByRole('link').click();
    await findPane(page)
      .getByRole('button', { name: /^Decline/ })
      .waitFor();
    await service.call(`/api/v3/service_alerts/alert/${id}/update`, {
      token: await service.tokenOf('admin'),
      body: { status: 'RESOLVED', reason_code: '103.002' },
    });
    await page.getByText('This alert was answered meanwhile.').waitFor();
    await findPane(page)
      .getByRole('button', { name: /^Decline/ })
      .waitFor({ state: 'detached' });
  });
});
