import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { expectAccessible } from '#test/dashboard/axe.ts';
import { describeInBrowser } from '#test/support/browser.ts';
import { expectNoErrors } from '#test/support/personas.ts';
import { useStack } from '#test/support/stack.ts';
import { openShop } from '#test/support/storefront.ts';
import { useServer } from '#test/support/use-server.ts';
import { mastercardNumbers, visaNumbers } from './contract.ts';
import { authenticateIn, issuerIn, prepareIn, secretsKept, startMerchant, visit } from './merchant-page.ts';

/** Payers in a browser, on a merchant's page of another origin and with a strict policy. */

const service = await useStack();
const merchant = await useServer(startMerchant(service));

type Ends = keyof typeof visaNumbers;
/** The result of each test card without any action. */
const table: [Ends, Record<string, unknown>][] = [
  [2003, { outcome: 'authenticated', transStatus: 'Y', liabilityShift: true }],
  [2103, { outcome: 'authenticated', transStatus: 'Y', liabilityShift: true }],
  [2113, { outcome: 'not_authenticated', transStatus: 'N', liabilityShift: false }],
  [2123, { outcome: 'attempted', transStatus: 'A', liabilityShift: true }],
  [2133, { outcome: 'rejected', transStatus: 'R', cardholderInfo: expect.stringContaining('call the number') }],
  [2143, { outcome: 'informational', transStatus: 'I', liabilityShift: false }],
  [2153, { outcome: 'unavailable', transStatus: 'U' }],
  [2163, { outcome: 'unavailable', transStatus: null }],
  [2070, { outcome: 'authenticated', transStatus: 'Y', liabilityShift: true }],
  [2071, { outcome: 'not_authenticated', transStatus: 'N', liabilityShift: false }],
  [1072, { outcome: 'unavailable', transStatus: null }],
];

/** Calls of the SDK, by what they ask for. */
const watchCalls = (page: Page): string[] => {
  const calls: string[] = [];
  page.on('request', (request) => {
    const [, what] = /\/api\/v3\/3ds\/\d+\/(\w+)$/.exec(request.url()) ?? [];
    if (what) calls.push(what);
  });
  return calls;
};

const findDialog = (page: Page) => page.getByRole('dialog', { name: 'Confirm it is you' });
const codeIn = (page: Page) => issuerIn(page).getByLabel('Code by SMS');

describeInBrowser('native 3-D Secure', (open) => {
  describe('every test card', () => {
    it.each(table)('that ends with %i', async (ends, expected) => {
      const { page, outside, errors } = await open();
      await visit(page, merchant);
      for (const number of [visaNumbers[ends], mastercardNumbers[ends]]) {
        const begun = await merchant.begin();
        const { result, steps } = await authenticateIn(page, begun, number);
        expect(result).toMatchObject({
          ...expected,
          authenticationId: String(begun.id),
          threeDSecure: JSON.stringify({ authentication_id: begun.id }),
        });
        expect([steps[0], steps.at(-1)]).toEqual(['start', 'done']);
        expect(await merchant.detailsOf(begun)).toMatchObject({
          ...{ status: 'done', outcome: result?.outcome, transStatus: result?.transStatus },
          liability_shift: result?.liabilityShift,
        });
      }
      expect([outside, errors]).toEqual([[], []]);
    });

    it('of an issuer that takes no part', async () => {
      const { page, errors } = await open();
      await visit(page, merchant);
      const begun = await merchant.begin();
      const { result, steps } = await authenticateIn(page, begun, '4000100111181111');
      expect([result, steps]).toMatchObject([{ outcome: 'unavailable' }, ['start', 'done']]);
      expect(await merchant.detailsOf(begun)).toMatchObject({ reason: 'not_enrolled' });
      expect(errors).toEqual([]);
    });

    it.each([2072, 3072] as const)('that ends with %i: the payer is asked for a code', async (ends) => {
      const { page, outside, errors } = await open();
      await visit(page, merchant);
      for (const number of [visaNumbers[ends], mastercardNumbers[ends]]) {
        const begun = await merchant.begin();
        const running = authenticateIn(page, begun, number);
        await codeIn(page).fill('000000');
        await issuerIn(page).getByRole('button', { name: 'Confirm', exact: true }).click();
        await issuerIn(page).getByText('That code is not right. 2 tries are left.').waitFor();
        await codeIn(page).fill('123456');
        await issuerIn(page).getByRole('button', { name: 'Confirm', exact: true }).click();
        const { result, steps } = await running;
        expect(result).toMatchObject({ outcome: 'authenticated', transStatus: 'Y', liabilityShift: true });
        expect(steps).toContain('challenge');
        expect(await merchant.detailsOf(begun)).toMatchObject({
          ...{
            outcome: 'authenticated',
            aresTransStatus: 'C',
            messageVersion: ends === 3072 ? '2.3.1' : expect.any(String),
          },
        });
        expect(await page.locator('iframe').count()).toBe(0);
      }
      expect([outside, errors]).toEqual([[], []]);
    });

    it('whose 3DS method never returns: it goes on after ten seconds', async () => {
      const { page, errors } = await open();
      await page.clock.install();
      await visit(page, merchant);
      for (const number of [visaNumbers[2203], mastercardNumbers[2203]]) {
        const begun = await merchant.begin();
        const silent = page.waitForResponse((response) => response.url().includes('/sandbox/acs/method'));
        const running = authenticateIn(page, begun, number);
        await silent;
        await page.clock.runFor(10_500);
        expect((await running).result).toMatchObject({ outcome: 'authenticated', transStatus: 'Y' });
      }
      expect(errors).toEqual([]);
    });
  });

  it('asks the service twice without a method, and three times with one', async () => {
    const { page } = await open();
    await visit(page, merchant);
    const calls = watchCalls(page);
    await authenticateIn(page, await merchant.begin(), visaNumbers[2103]);
    expect(calls.splice(0)).toEqual(['start', 'authenticate']);
    await authenticateIn(page, await merchant.begin(), visaNumbers[2003]);
    expect(calls.splice(0)).toEqual(['start', 'frame', 'authenticate']);
  });

  it('is an ES module too, and gets ready while the payer still types', async () => {
    const { page, errors } = await open();
    await visit(page, merchant, '/module');
    const calls = watchCalls(page);
    const begun = await merchant.begin();
    expect(await prepareIn(page, begun, visaNumbers[2003])).not.toHaveProperty('code');
    expect(calls.splice(0)).toEqual(['start', 'frame']);
    expect((await authenticateIn(page, begun, visaNumbers[2003])).result).toMatchObject({ outcome: 'authenticated' });
    expect(calls).toEqual(['authenticate']);
    expect(errors).toEqual([]);
  });

  it('is what the payment is then made with, by its number alone', async () => {
    const { page } = await open();
    await visit(page, merchant);
    const running = authenticateIn(page, await merchant.begin(), visaNumbers[2072]);
    await codeIn(page).fill('123456');
    await page.keyboard.press('Enter');
    const { threeDSecure = '', authenticationId } = (await running).result ?? {};
    const shop = openShop(service);
    expect(await shop.pay('10.00', { card_no: visaNumbers[2072], threeDSecure })).toMatchObject({
      status: 'OK',
      three_ds: { source: 'verified', authentication_id: Number(authenticationId), liability_shift: true },
    });
  });

  it('leaves nothing in the page, its addresses or its storage', async () => {
    const { page } = await open();
    const addresses: string[] = [];
    page.on('request', (request) => void addresses.push(request.url()));
    await visit(page, merchant);
    const number = visaNumbers[2003];
    await authenticateIn(page, await merchant.begin(), number);
    expect(addresses.filter((address) => address.includes(number))).toEqual([]);
    expect(await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])')).toBe(
      '[{},{},""]',
    );
    expect(await page.content()).not.toContain(number);
    expect(await page.context().cookies()).toEqual([]);
  });

  it('authenticates with the page that the guide shows', async () => {
    const { page, errors } = await open();
    const begun = await merchant.begin();
    await visit(page, merchant, `/guide?token=${begun.token}`);
    for (const [name, value] of [
      ['number', visaNumbers[2103]],
      ['month', '12'],
      ['year', '2030'],
    ] as const) {
      await page.getByLabel(name).fill(value);
    }
    const paid = page.waitForResponse((response) => response.url().endsWith('/pay'));
    await page.getByRole('button', { name: 'Pay' }).click();
    await paid;
    expect(merchant.orders.map((order) => Object.fromEntries(order))).toEqual([
      { threeDSecure: JSON.stringify({ authentication_id: begun.id }), order: '1001' },
    ]);
    expect(errors).toEqual([]);
  });

  describe('the dialog', () => {
    const challenged = async (page: Page, options = {}) => {
      await visit(page, merchant);
      const begun = await merchant.begin();
      await page.getByRole('button', { name: 'Pay' }).focus();
      const running = authenticateIn(page, begun, visaNumbers[2072], options);
      await codeIn(page).waitFor();
      return { begun, running };
    };

    it('is used by the keyboard alone, and gives the focus back', async () => {
      const { page, errors } = await open();
      const { running } = await challenged(page);
      await findDialog(page).waitFor();
      expect(await page.evaluate('document.activeElement.shadowRoot.activeElement.textContent')).toBe('Cancel');
      await page.keyboard.press('Tab');
      await issuerIn(page).locator('#code:focus').waitFor();
      await page.keyboard.type('123456');
      await page.keyboard.press('Enter');
      expect((await running).result).toMatchObject({ outcome: 'authenticated' });
      expect(await page.evaluate('document.activeElement.id')).toBe('pay');
      expect(errors).toEqual([]);
    });

    it('uses the page’s texts, and the default texts for the rest', async () => {
      const { page } = await open();
      const labels = { title: 'Bitte bestätigen', cancel: 'Abbrechen', waiting: 'Ihre Bank fragt nach.' };
      await challenged(page, { labels, baseUrl: `${service.url}/` });
      const dialog = page.getByRole('dialog', { name: labels.title });
      await dialog.getByText(labels.waiting).waitFor();
      await dialog.getByRole('button', { name: labels.cancel }).click();
      await dialog.getByText('Stop here? The payment will not be made.').waitFor();
    });

    it('asks once whether the payer means it: Escape, and then Go on or Stop', async () => {
      const { page } = await open();
      const { begun, running } = await challenged(page);
      await page.getByRole('button', { name: 'Cancel' }).first().focus();
      await page.keyboard.press('Escape');
      await page.getByText('Stop here?').waitFor();
      await page.keyboard.press('Enter');
      await page.getByText('Stop here?').waitFor({ state: 'hidden' });
      expect(await merchant.detailsOf(begun)).toMatchObject({ status: 'challenged' });
      await page.getByRole('button', { name: 'Cancel' }).first().click();
      await page.getByRole('button', { name: 'Stop' }).click();
      expect((await running).result).toMatchObject({ outcome: 'canceled', transStatus: 'U', liabilityShift: false });
      expect(await merchant.detailsOf(begun)).toMatchObject({ outcome: 'canceled', challengeCancel: '01' });
    });

    it('has no barriers: two themes, 320 pixels and 1280, by the rules of WCAG', async () => {
      const { page } = await open();
      await challenged(page);
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Cancel' }).first().click();
      await expectAccessible(page);
    });

    it('announces what it waits for, moves nothing, and gives the issuer all that it needs', async () => {
      const { page } = await open();
      const { running } = await challenged(page);
      expect(await page.locator('[aria-live="polite"]').textContent()).toBe('Your bank wants to know that it is you.');
      expect(await page.evaluate('document.getAnimations().length')).toBe(0);
      const ours = page.locator('iframe[title="Your bank"]');
      const issuers = page.frameLocator('iframe[title="Your bank"]').locator('iframe');
      expect(await issuers.getAttribute('title')).toBe('Authentication');
      for (const frame of [ours, issuers]) {
        // Banks open their apps and sign by passkeys from there, which a sandbox would forbid.
        expect(await frame.getAttribute('allow')).toMatch(/payment.*publickey-credentials-get/);
        expect(await frame.getAttribute('sandbox')).toBeNull();
      }
      await codeIn(page).fill('123456');
      await page.keyboard.press('Enter');
      expect((await running).result).toMatchObject({ outcome: 'authenticated' });
    });

    it('fits a window of 1280 by 800 pixels at 200 % zoom', async () => {
      const { page } = await open();
      await page.setViewportSize({ width: 640, height: 400 });
      const { running } = await challenged(page);
      const box = await findDialog(page).boundingBox();
      expect([Number(box?.width) <= 640, Number(box?.height) <= 400]).toEqual([true, true]);
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
      const confirm = issuerIn(page).getByRole('button', { name: 'Confirm', exact: true });
      await codeIn(page).fill('123456');
      await confirm.scrollIntoViewIfNeeded();
      await confirm.click();
      expect((await running).result).toMatchObject({ outcome: 'authenticated' });
    });

    it.each(['02', '03', '04'])(
      'of size %s has the widest size that fits into a window of 320 pixels',
      async (windowSize) => {
        const { page } = await open();
        await page.setViewportSize({ width: 320, height: 568 });
        const told = page.waitForRequest((request) => request.url().endsWith('/sandbox/acs/challenge'));
        const { running } = await challenged(page, { windowSize });
        const box = await findDialog(page).boundingBox();
        expect([Number(box?.x) > 0, Number(box?.width) < 320, Number(box?.height) <= 568]).toEqual([true, true, true]);
        expect(await page.locator('iframe[title="Your bank"]').boundingBox()).toMatchObject({
          width: 250,
          height: 400,
        });
        const creq = new URLSearchParams((await told).postData() ?? '').get('creq') ?? '';
        expect(JSON.parse(Buffer.from(creq, 'base64url').toString())).toMatchObject({ challengeWindowSize: '01' });
        const confirm = issuerIn(page).getByRole('button', { name: 'Confirm', exact: true });
        await codeIn(page).fill('123456');
        await confirm.scrollIntoViewIfNeeded();
        await confirm.click();
        expect((await running).result).toMatchObject({ outcome: 'authenticated' });
      },
    );

    it.each([
      ['01', 250, 400],
      ['02', 390, 400],
      ['03', 500, 600],
      ['04', 600, 400],
    ])('draws size %s as the issuer was told it', async (windowSize, width, height) => {
      const { page } = await open();
      const told = page.waitForRequest((request) => request.url().endsWith('/sandbox/acs/challenge'));
      await challenged(page, { windowSize });
      expect(await page.locator('iframe[title="Your bank"]').boundingBox()).toMatchObject({ width, height });
      const creq = new URLSearchParams((await told).postData() ?? '').get('creq') ?? '';
      expect(JSON.parse(Buffer.from(creq, 'base64url').toString())).toMatchObject({ challengeWindowSize: windowSize });
    });

    it('has size 05, which fills the window, below 640 pixels, and 03 from there on', async () => {
      const { page } = await open();
      await page.setViewportSize({ width: 639, height: 700 });
      await challenged(page);
      expect(await findDialog(page).boundingBox()).toMatchObject({ x: 0, y: 0, width: 639, height: 700 });
      expect(await page.locator('iframe[title="Your bank"]').boundingBox()).toMatchObject({ width: 639 });
      await page.setViewportSize({ width: 640, height: 700 });
      await challenged(page);
      const drawn = { width: 500, height: 600 };
      expect(await page.locator('iframe[title="Your bank"]').boundingBox()).toMatchObject(drawn);
    });

    it('appears in the place that the page has for it', async () => {
      const { page, errors } = await open();
      const { running } = await challenged(page, { container: true });
      expect(await page.getByRole('dialog').count()).toBe(0);
      await page.getByRole('group', { name: 'Confirm it is you' }).waitFor();
      await expectAccessible(page);
      await codeIn(page).fill('123456');
      await codeIn(page).press('Enter');
      expect((await running).result).toMatchObject({ outcome: 'authenticated' });
      expect(errors).toEqual([]);
    });
  });

  it('has left no token and no value that proves anything in a log, a queue or a row', async () => {
    expect(merchant.secrets.size).toBeGreaterThan(10);
    expect(await secretsKept(service, merchant)).toEqual([]);
  });

  it('goes by without a complaint of the stack or an error of a function', () => expectNoErrors(service));
});
