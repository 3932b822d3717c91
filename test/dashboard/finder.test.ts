import { beforeAll, expect, it } from 'vitest';
import { sentOrder } from '#test/payments/orders/samples.ts';
import { describeInBrowser } from '#test/support/browser.ts';
import { useStack } from '#test/support/stack.ts';
import { expectAccessible } from './axe.ts';
import { openAs } from './people.ts';

const service = await useStack();
let orderId: number;
beforeAll(async () => {
  const { body } = await service.call('/api/v3/orders/create', {
    token: await service.tokenOf('merchant'),
    body: { sid: service.credentials.site.sid, ...sentOrder({ reference: 'web-7004' }) },
  });
  orderId = Number(body['order_id']);
});

describeInBrowser('the search of everything', (open) => {
  it('shows a caller’s purchase for the address, the person first, and opens it by keys', async () => {
    const { page } = await openAs(open, service);
    await page.keyboard.press('Control+k');
    await page.locator('dialog.finder input:focus').waitFor();
    await page.keyboard.type('ada@example.com');
    const options = page.getByRole('option');
    await options.first().getByText('Ada Lovelace').waitFor();
    const kinds = await page.locator('.hits .kind').allTextContents();
    expect(kinds.map((kind) => kind.trim())).toEqual(['Customer', 'Order']);
    expect(await page.locator('.hits mark').allTextContents()).toContain('ada@example.com');
    await expectAccessible(page);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/dashboard#/orders/${orderId}`);
  });

  it('sends the ends of a card alone, and names a filter that it does not know', async () => {
    const { page } = await openAs(open, service);
    const sent: string[] = [];
    page.on('request', (request) => request.url().endsWith('/api/v3/search') && sent.push(request.postData() ?? ''));
    await page.keyboard.press('Control+k');
    await page.locator('dialog.finder input:focus').waitFor();
    await page.keyboard.type('colour:red 4242 4242 4242');
    // A part of the number rests while it is typed.
    await page.getByText('This may become a card number, so it is not sent. Press Enter to search for it.').waitFor();
    await page.keyboard.type(' 4242');
    await page.getByText('The full number was not sent.').waitFor();
    await page.getByText('“colour:red” is not understood and was left out').waitFor();
    await page.getByRole('option', { name: 'web-7004' }).waitFor();
    expect(sent.filter((body) => /4242\D{0,2}4242\D{0,2}4242/.test(body))).toEqual([]);
    expect(sent.at(-1)).toContain('424242 4242');
  });

  it('opens from a list’s box for words that no filter of the list has', async () => {
    const { page } = await openAs(open, service, service.credentials.merchant, '/dashboard#/payments');
    const box = page.getByRole('searchbox', { name: 'Search', exact: true });
    await box.fill('ada@example.com');
    await box.press('Enter');
    await page.locator('dialog.finder .token', { hasText: 'payments' }).waitFor();
    expect(await page.locator('.trouble').count()).toBe(0);
  });
});
