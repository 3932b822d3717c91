import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { describeInBrowser } from '#test/support/browser.ts';
import { takePictures } from '#test/support/pictures.ts';
import { useStack } from '#test/support/stack.ts';
import { findBarriers } from './axe.ts';
import { openAs, signInAs } from './people.ts';

const service = await useStack();
let origin: string;
beforeAll(async () => {
  // Browsers make no passkeys for IP addresses.
  origin = `http://localhost:${new URL(service.url).port}`;
});

/** Gives a page a device that verifies its user, as Chromium’s tools for developers do. */
const addDevice = async (page: Page) => {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  const options = { protocol: 'ctap2', transport: 'internal', hasResidentKey: true } as const;
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: { ...options, hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true },
  });
  return { session, authenticatorId };
};

const signOut = async (page: Page) => {
  await page.getByRole('button', { name: /Manager/ }).click();
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
};
const addPasskey = async (page: Page) => {
  await page.goto(`${origin}/dashboard#/account`);
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Work laptop');
  await page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('dialog', { name: 'Your recovery codes' }).waitFor();
  await page.getByRole('button', { name: 'I have saved them' }).click();
};
const byHostName = () => ({ ...service, url: origin });
const isIn = (page: Page) => page.getByRole('navigation', { name: 'Main' }).waitFor();

describeInBrowser('passkeys', (open) => {
  it('sign in without a password, as the second factor, and again for what diverts something', async () => {
    const { page } = await open();
    await addDevice(page);
    await signInAs(page, byHostName());
    await addPasskey(page);
    await page.getByText('Work laptop').waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await takePictures(page, 'passkeys');
    await signOut(page);
    await takePictures(page, 'passkey-sign-in');
    expect(await findBarriers(page)).toEqual([]);

    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await isIn(page);
    await service.clock.advance('PT20M');
    await page.goto(`${origin}/dashboard#/settings/1`);
    await page.getByRole('button', { name: 'Rotate the rcode' }).click();
    await page.getByRole('button', { name: 'Rotate it' }).click();
    const again = page.getByRole('dialog', { name: 'Confirm that it is you' });
    await again.waitFor();
    expect(await again.getByLabel('Password', { exact: true }).evaluate((field) => field.matches(':focus'))).toBe(true);
    await takePictures(page, 'passkey-again');
    await again.getByRole('button', { name: 'Use a passkey' }).click();
    await again.waitFor({ state: 'detached' });
    await page
      .getByRole('button', { name: 'Copy the rcode' })
      .or(page.getByText(/new rcode/i))
      .first()
      .waitFor();
    await page.keyboard.press('Escape');

    await page.goto(`${origin}/dashboard`);
    await signOut(page);
    const { username, password } = service.credentials.merchant;
    await page.getByLabel('Username').fill(username);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByLabel('Code', { exact: true }).waitFor();
    await takePictures(page, 'passkey-factor');
    await page.getByRole('button', { name: 'Use your passkey' }).click();
    await isIn(page);

    await page.goto(`${origin}/dashboard#/account`);
    await page.getByRole('button', { name: 'Rename Work laptop' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Home laptop');
    await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('button', { name: 'Remove Home laptop' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByText('Home laptop was removed.').waitFor();
  });

  it('say so if none was used', async () => {
    const { page } = await open();
    const { session, authenticatorId } = await addDevice(page);
    await page.goto(`${origin}/dashboard`);
    await session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false });
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByText('No passkey was used').waitFor();
  });

  it('are not offered at an IP address, and the account says where they are', async () => {
    const { page } = await openAs(open, service);
    await page.goto(`${service.url}/dashboard#/account`);
    await page.getByText(`Open ${origin}/dashboard.`).waitFor();
    expect(await page.getByRole('button', { name: 'Add a passkey' }).isDisabled()).toBe(true);
    await takePictures(page, 'passkeys-ip');
  });
});
