import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { describeInBrowser } from '#test/support/browser.ts';
import { receive } from '#test/support/personas.ts';
import { takePictures } from '#test/support/pictures.ts';
import { useStack } from '#test/support/stack.ts';
import { expectAccessible } from './axe.ts';
import { alertDetails, alertOfRow, findPane, queueRows, signInAs } from './people.ts';

/** The assignment of alerts: taking one, giving it to a colleague, one's own alerts, and notes that mention a colleague. */
const service = await useStack();
beforeAll(async () => {
  for (let n = 1; n <= 3; n += 1) await receive(service, { amount: { value: `${n}.00`, currencyCode: 'USD' } });
  const token = await service.tokenOf('merchant');
  const ann = { username: 'ann.lee@shop.example', name: 'Ann Lee', role: 'analyst' };
  expect((await service.call('/api/v3/users/create', { token, body: ann })).status).toBe(200);
  const dev = { username: 'dev', name: 'Dana Dev', role: 'developer' };
  expect((await service.call('/api/v3/users/create', { token, body: dev })).status).toBe(200);
  await service.untilIdle();
});

const patience = { timeout: 20_000 };
const subjectsTo = (address: string) =>
  service
    .mails()
    .filter(({ to }) => to.includes(address))
    .map(({ subject }) => subject);
const mid = () => service.credentials.site.mid;

describeInBrowser('the assignee of an alert', (open) => {
  const openQueue = async () => {
    const opened = await open();
    await signInAs(opened.page, service, service.credentials.merchant, '/dashboard#/queue');
    await queueRows(opened.page).first().waitFor();
    return opened;
  };
  const assigneeField = (page: Page) => findPane(page).getByLabel('Assigned to');

  it('is chosen by a key or from the colleagues who answer alerts, and shown in the queue', async () => {
    const { page, errors } = await openQueue();
    await assigneeField(page).waitFor();
    const id = await alertOfRow(queueRows(page).first());
    const names = await assigneeField(page).locator('option').allTextContents();
    expect(names).toContain('Ann Lee');
    expect(names).not.toContain('Dana Dev');
    await page.keyboard.press('a');
    await expect
      .poll(async () => (await alertDetails(service, id))['assignee'], patience)
      .toBe(service.credentials.merchant.username);
    await assigneeField(page).selectOption({ label: 'Ann Lee' });
    await page.getByText('The alert is assigned to Ann Lee.').waitFor();
    expect((await alertDetails(service, id))['assignee']).toBe(`ann.lee@shop.example@m${mid()}`);
    await expect
      .poll(() => subjectsTo('ann.lee@shop.example'), patience)
      .toContainEqual(expect.stringContaining('Assigned to you: '));
    await page.reload();
    await queueRows(page).first().getByRole('img', { name: 'Ann Lee' }).waitFor();
    await findPane(page).getByText('Assignee changed').first().waitFor();
    await takePictures(page, 'queue-assigned');
    await expectAccessible(page);
    expect(errors).toEqual([]);
  });

  it('filters the queue: “Mine” shows one’s own alerts, on every tab', async () => {
    const { page } = await openQueue();
    const second = queueRows(page).nth(1);
    const id = await alertOfRow(second);
    await second.getByRole('link').click();
    await findPane(page).getByRole('button', { name: 'Assign to me' }).click();
    await page.getByText('The alert is assigned to').waitFor();
    await page.getByRole('link', { name: 'Mine', exact: true }).click();
    await expect.poll(() => queueRows(page).count(), patience).toBe(1);
    expect(await alertOfRow(queueRows(page).first())).toBe(id);
    await page.getByRole('link', { name: 'In progress' }).click();
    await page.getByText('Nothing here is assigned to you.').waitFor();
    await page.getByRole('link', { name: 'Mine', exact: true }).click();
    await page.getByRole('link', { name: 'To decide' }).click();
    await expect.poll(() => queueRows(page).count(), patience).toBe(3);
    await assigneeField(page).waitFor();
  });

  it('is suggested in a note after @, and a colleague who is mentioned gets the note by e-mail', async () => {
    const { page } = await openQueue();
    await findPane(page).getByRole('button', { name: 'Note', exact: true }).waitFor();
    await page.keyboard.press('n');
    const text = page.getByRole('dialog').getByLabel('Note', { exact: true });
    await text.fill('Please call, ');
    await text.press('End');
    await text.pressSequentially('@ann');
    await page.getByRole('dialog').getByRole('button', { name: 'Ann Lee' }).click();
    expect(await text.inputValue()).toBe('Please call, @ann.lee@shop.example ');
    await text.press('End');
    await text.pressSequentially('@');
    await takePictures(page, 'note-mention');
    await text.press('Backspace');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Save the note' }).click();
    await page.getByText('Please call, @ann.lee@shop.example').waitFor();
    await expect
      .poll(() => subjectsTo('ann.lee@shop.example'), patience)
      .toContainEqual(expect.stringContaining('mentioned'));
  });
});
