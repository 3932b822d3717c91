import { expect, it } from 'vitest';
import { describeInBrowser } from '#test/support/browser.ts';
import { takePictures } from '#test/support/pictures.ts';
import { useStack } from '#test/support/stack.ts';
import { expectAccessible } from './axe.ts';
import { openAs, signInAs } from './people.ts';

const service = await useStack();

describeInBrowser('the e-mails that a person gets', (open) => {
  it('come once a day and in their time zone if they choose so', async () => {
    const { page } = await openAs(open, service, service.credentials.merchant, '/dashboard#/account');
    await page.getByText('You have no e-mail address here').waitFor();
    const { username } = service.credentials.merchant;
    const admin = await service.tokenOf('admin');
    await service.call('/api/v3/users/update', { token: admin, body: { username, email: 'ann@shop.example' } });
    await page.reload();
    await page.getByText('They go to ann@shop.example.').waitFor();
    await page.getByLabel('Time zone of deadlines').selectOption('Europe/Berlin');
    await page.getByLabel('New and changed alerts').selectOption('daily');
    await page.getByLabel('The report of each month').check();
    await expectAccessible(page);
    await takePictures(page, 'own-settings');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Your settings are saved.').waitFor();
    await page.reload();
    await page.getByLabel('Time zone of deadlines').waitFor();
    expect(await page.getByLabel('Time zone of deadlines').inputValue()).toBe('Europe/Berlin');
    expect(await page.getByLabel('New and changed alerts').inputValue()).toBe('daily');
    const token = await service.tokenOf('merchant');
    const { body } = await service.call('/api/v3/users', { token, body: {} });
    expect(body).toMatchObject({ time_zone: 'Europe/Berlin', alert_emails: 'daily', monthly_report: true });
    // It is 2 May: the report of April is due, and that of May a month later.
    await service.clock.advance('P32D');
    await service.untilIdle();
    const files = service.mails().flatMap(({ attachments = [] }) => attachments);
    expect(files.map(({ name }) => name)).toEqual(['report-2026-04.pdf', 'report-2026-05.pdf']);
    expect(Buffer.from(files[0]?.content ?? '', 'base64').toString('latin1')).toMatch(/^%PDF-/);
  });
});

describeInBrowser('the own password', (open) => {
  it('is changed by its owner, who then signs in with it', async () => {
    const { page } = await open();
    const { username, password } = service.credentials.merchant;
    await signInAs(page, service, service.credentials.merchant, '/dashboard#/account');
    const change = async (present: string, wanted: string) => {
      await page.getByLabel('Present password').fill(present);
      await page.getByLabel('New password').fill(wanted);
      await page.getByRole('button', { name: 'Change the password' }).click();
    };
    await change('a guess', 'correct horse battery');
    await page.getByText('is not your present password').first().waitFor();
    await takePictures(page, 'own-password');
    await change(password, 'correct horse battery');
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
    await signInAs(page, service, { username, password: 'correct horse battery' }, '/dashboard#/account');
    await page.getByLabel('Present password').waitFor();
  });
});
