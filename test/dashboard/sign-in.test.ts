import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BrowserContext, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { describeInBrowser } from '#test/support/browser.ts';
import { useStack } from '#test/support/stack.ts';
import { openAs, signInAs } from './people.ts';

const service = await useStack();

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
const readCookie = async (context: BrowserContext) =>
  (await context.cookies()).find(({ name }) => name === 'forewarn-session');
/** Calls an operation of sessions as the page would, with a cookie of one's choice. */
const refresh = (cookie: string) =>
  service.call('/api/v3/session/refresh', {
    body: {},
    headers: { origin: service.url, cookie: `forewarn-session=${cookie}` },
  });

describeInBrowser('the dashboard', (open) => {
  it('lets a person in who has the password, says why others stay out, and keeps what they typed', async () => {
    const { page } = await open();
    await page.goto(`${service.url}/`);
    await heading(page, 'Sign in');
    const { username, password } = service.credentials.merchant;
    await page.getByLabel('Username').fill(username);
    await page.getByLabel('Password', { exact: true }).fill('not the password');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('Wrong username or password').waitFor();
    expect(await page.getByLabel('Username').inputValue()).toBe(username);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.keyboard.press('Enter');
    await page.getByRole('navigation', { name: 'Main' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/dashboard');
  });

  it('lets a person who forgot their password set a new one by the e-mailed link', async () => {
    const [admin, username] = [await service.tokenOf('admin'), 'forgetful'];
    const body = { username, name: 'Ann', role: 'analyst', email: 'forgetful@shop.example', mid: 1 };
    await service.call('/api/v3/users/create', { token: admin, body });
    const { page } = await open();
    await page.goto(`${service.url}/dashboard`);
    await page.getByRole('link', { name: 'Forgot your password?' }).click();
    await page.getByLabel('Username').fill(username);
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('a link is on its way').waitFor();
    await service.untilIdle();
    const mail = service.mails().findLast(({ to }) => to.includes('forgetful@shop.example'));
    expect(mail?.subject).toBe('Set a new password for Forewarn');
    await page.goto(/https?:\S+set-password\S+/.exec(mail?.text ?? '')?.[0] ?? '');
    await page.getByLabel('New password').fill('correct horse battery');
    await page.keyboard.press('Enter');
    await page.getByText('Your password is set').waitFor();
    await page.getByRole('link', { name: 'Sign in' }).click();
    await signInAs(page, service, { username, password: 'correct horse battery' });
  });

  it('counts down the time until the next try', async () => {
    const { page } = await open();
    await page.goto(`${service.url}/dashboard`);
    await page.getByLabel('Username').fill('locked-out');
    for (let n = 0; n < 6; n += 1) {
      await page.getByLabel('Password', { exact: true }).fill('not the password');
      await Promise.all([
        page.waitForResponse((reply) => reply.url().endsWith('/session/create')),
        page.keyboard.press('Enter'),
      ]);
      await page.getByRole('alert').waitFor();
    }
    const button = page.getByRole('button', { name: /^Wait [\d,]+ seconds?$/ });
    await button.waitFor();
    expect(await button.isDisabled()).toBe(true);
    await page.getByText('Too many failed attempts').waitFor();
  });

  describe('a session', () => {
    it('is in a cookie that no script reads, and outlasts a reload', async () => {
      const { page, errors } = await openAs(open, service);
      expect(await readCookie(page.context())).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/' });
      expect(await page.evaluate('document.cookie')).toBe('');
      expect(await page.evaluate('JSON.stringify({ ...localStorage, ...sessionStorage })')).not.toContain('eyJ');
      await page.reload();
      await page.getByRole('navigation', { name: 'Main' }).waitFor();
      expect(errors).toEqual([]);
    });

    it('is one for all tabs: each goes on with it, and signing out in one signs out all', async () => {
      const { page } = await openAs(open, service);
      const others = await Promise.all([1, 2, 3].map(() => page.context().newPage()));
      await Promise.all(others.map((one) => one.goto(`${service.url}/dashboard`)));
      for (const one of others) await one.getByRole('navigation', { name: 'Main' }).waitFor();
      await page.getByText('Mara Manager').click();
      await page.getByRole('button', { name: 'Sign out', exact: true }).click();
      for (const one of [page, ...others]) await heading(one, 'Sign in');
      // The cookie keeps the mark of the browser; the session's secret is gone.
      expect((await readCookie(page.context()))?.value).toMatch(/^[0-9a-z]{26}\.\.[0-9a-f]{32}$/);
    });

    it('ends when its cookie was stolen and both use it', async () => {
      const { page } = await openAs(open, service);
      const stolen = (await readCookie(page.context()))?.value ?? '';
      await page.reload();
      await page.getByRole('navigation', { name: 'Main' }).waitFor();
      await service.clock.advance('PT11S');
      expect(await refresh(stolen)).toMatchObject({ status: 401 });
      await page.reload();
      await heading(page, 'Sign in');
    });

    it('is out of reach of pages of other origins, even of this very host', async () => {
      const { page, provoked } = await open();
      provoked.push(/ERR_FAILED/, /CORS policy/);
      await signInAs(page, service);
      const before = (await readCookie(page.context()))?.value;
      const replies = await attack(page, service.url);
      expect(replies.filter((reply) => reply !== 'blocked')).toEqual([]);
      expect((await readCookie(page.context()))?.value).toBe(before);
      await page.goto(`${service.url}/dashboard`);
      await page.getByRole('navigation', { name: 'Main' }).waitFor();
    });
  });

  it('takes a new password by a link, whose token leaves the address', async () => {
    const admin = await service.tokenOf('admin');
    const sent = { username: 'ann', name: 'Ann', role: 'analyst', mid: service.credentials.site.mid };
    const { body } = await service.call('/api/v3/users/create', { token: admin, body: sent });
    const { page, errors } = await open();
    await page.goto(String(body['setup_url']));
    await heading(page, 'Set your password');
    expect(page.url()).toBe(`${service.url}/dashboard#/set-password`);
    await page.getByLabel('New password').fill('correct horse battery');
    await page.getByRole('button', { name: 'Set the password' }).click();
    await page.getByText('Your password is set.').waitFor();
    await page.getByRole('link', { name: 'Sign in' }).click();
    await heading(page, 'Sign in');
    await signInAs(page, service, { username: 'ann', password: 'correct horse battery' });
    await page.getByText('Ann', { exact: true }).click();
    await page.getByText('Analyst', { exact: true }).waitFor();
    expect(errors).toEqual([]);
  });
});

/** Has a page of another origin try to use the session: by fetch in several ways, and by a form. Returns the result of each. */
const attack = async (page: Page, target: string): Promise<string[]> => {
  const evil = createServer((_, response) => response.setHeader('content-type', 'text/html').end('<h1>Evil</h1>'));
  await new Promise<void>((resolve) => evil.listen(0, '127.0.0.1', resolve));
  try {
    await page.goto(`http://127.0.0.1:${(evil.address() as AddressInfo).port}/`);
    const tried = await page.evaluate<string[]>(`Promise.all(
      ['refresh', 'end', 'create', 'factor'].flatMap((name) => ['application/json', 'text/plain'].map(async (type) => {
        const options = { method: 'POST', credentials: 'include', body: '{}', headers: { 'content-type': type } };
        try {
          const reply = await fetch('${target}/api/v3/session/' + name, options);
          return reply.ok ? name : 'blocked';
        } catch { return 'blocked'; }
      })))`);
    const form = `<form method="post" enctype="text/plain" action="${target}/api/v3/session/end"><input name='{"a":"' value='"}'></form>`;
    const [reply] = await Promise.all([
      page.waitForResponse((one) => one.url().endsWith('/session/end')),
      page.waitForEvent('load'),
      page.evaluate(`document.body.innerHTML = ${JSON.stringify(form)}; document.forms[0].submit()`),
    ]);
    return [...tried, reply.status() === 403 ? 'blocked' : `form ${reply.status()}`];
  } finally {
    evil.closeAllConnections();
    evil.close();
  }
};
