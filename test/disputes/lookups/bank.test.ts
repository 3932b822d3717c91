import { mkdirSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demoClientId } from '#lib/local/demo/demo-tenant.ts';
import { expectAccessible } from '#test/dashboard/axe.ts';
import { daysBefore, sentOrder } from '#test/payments/orders/samples.ts';
import { describeInBrowser, type Open } from '#test/support/browser.ts';
import { expectNoErrors, merchantToken } from '#test/support/personas.ts';
import { useStack } from '#test/support/stack.ts';

/** The bank of the sandbox, as people use it: look-ups and disputes go through the real operations of provider_b. */

const now = '2026-05-02T10:00:00.000Z';
const service = await useStack({ startTime: now });
let token: string;
let orderId: number;

const call = async (path: string, body: unknown): Promise<Record<string, unknown>> => {
  const answer = await service.call(`/api/v3${path}`, { token, body });
  if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${answer.text}`);
  return answer.body as Record<string, unknown>;
};

/** Three purchases of one customer, of which the earlier two prove the last one. */
const storeOrders = async (): Promise<number> => {
  const { sid } = service.credentials.site;
  await call(`/site/${sid}/order-profile`, {
    ...{ display_name: 'Tea & <House>', support_phone: '+1 555 0100', support_email: 'help@shop.example' },
    ...{ geo: { latitude: 51.5074, longitude: -0.1378 }, address: { address: '1 Trade Road', suburb_city: 'London' } },
  });
  let last = 0;
  for (const [index, days] of [200, 150, 2].entries()) {
    const order = {
      ...sentOrder({
        reference: `A-${days}`,
        order_date: daysBefore(days, now),
        arn: String(index + 1).padStart(23, '7'),
      }),
      ...{ descriptor: 'DEMO SHOP', refunds: [], network_transaction_id: null, deliveries: [] },
    };
    last = Number((await call('/orders/create', { sid, ...order }))['order_id']);
  }
  return last;
};

beforeAll(async () => {
  token = await merchantToken(service);
  orderId = await storeOrders();
});
afterAll(async () => {
  expectNoErrors(service);
});

const bank = () => `${service.url}/sandbox/bank?client=${demoClientId}`;
const lookUps = async () =>
  (await call('/orders/lookups', { size: 50 }))['list'] as { order_id: number; channel: string }[];

const shots = process.env['SCREENSHOTS'];
const shoot = async (page: Page, name: string): Promise<void> => {
  if (!shots) return;
  mkdirSync(shots, { recursive: true });
  for (const width of [320, 390, 1280]) {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: `${shots}/bank-${width}-${colorScheme}-${name}.png`, fullPage: true });
    }
  }
};

/** Opens the page before any question. `quiet`: that it had no errors, and called only this service. */
const opened = async (open: Open) => {
  const { page, outside, errors } = await open();
  await page.goto(bank());
  return { page, quiet: () => expect([outside, errors]).toEqual([[], []]) };
};
const tap = (page: Page) => page.getByRole('button', { name: '2026-04-30' }).click();

describeInBrowser('the bank of the sandbox', (open) => {
  it('shows a statement, and what a charge was, as much as its cardholder may see', async () => {
    const { page, quiet } = await opened(open);
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Sandbox Bank');
    expect(await page.locator('.charges li').count()).toBe(3);
    await tap(page);
    await page.getByRole('heading', { name: 'Tea & <House>' }).waitFor();
    const text = (await page.locator('main').textContent()) ?? '';
    for (const part of ['Order A-2', '361.56 USD', '2 × Kettle', 'First flush', '+1 555 0100', 'Ada']) {
      expect(text).toContain(part);
    }
    for (const part of ['Lovelace', 'ada@example.com', '203.0.113.7', 'What the bank was answered']) {
      expect(text).not.toContain(part);
    }
    expect(await page.getByRole('link', { name: '1 Trade Road, London' }).getAttribute('href')).toContain('51.5074');
    expect(await page.getByRole('link', { name: 'See the receipt' }).getAttribute('rel')).toBe('noreferrer noopener');
    await service.untilIdle();
    expect(await lookUps()).toMatchObject([{ order_id: orderId, channel: 'OIM' }]);
    quiet();
  });

  it('shows agents more, and the evidence with the raw answer', async () => {
    const { page, quiet } = await opened(open);
    await tap(page);
    await page.getByRole('button', { name: 'Bank’s agent' }).click();
    await page.getByText('Lovelace').first().waitFor();
    expect(await page.locator('main').textContent()).toContain('a***@example.com');
    await page.getByRole('button', { name: 'Evidence' }).click();
    await page.getByText('Qualifies as Compelling Evidence 3.0').waitFor();
    await page.getByText('What the bank was answered').click();
    expect(await page.locator('pre').textContent()).toContain('"priorTransactions"');
    expect(await page.getByRole('button', { name: 'Evidence' }).getAttribute('aria-current')).toBe('true');
    quiet();
  });

  it('is used by the keyboard alone', async () => {
    const { page, quiet } = await opened(open);
    await page.keyboard.press('Tab');
    expect(await page.locator(':focus').textContent()).toContain('2026-04-30');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Tea & <House>' }).waitFor();
    quiet();
  });

  it('begins with the answer in a window too low for both', async () => {
    const { page, quiet } = await opened(open);
    await page.setViewportSize({ width: 390, height: 400 });
    await tap(page);
    const shop = page.getByRole('heading', { name: 'Tea & <House>' });
    await shop.waitFor();
    const { y = -1, height = 0 } = (await shop.boundingBox()) ?? {};
    expect([y >= 0, y + height <= 400]).toEqual([true, true]);
    quiet();
  });

  it('fits any window, and axe finds nothing wrong in it', async () => {
    const { page, quiet } = await opened(open);
    await expectAccessible(page);
    await tap(page);
    for (const view of ['Bank’s agent', 'Evidence', 'Cardholder’s app']) {
      await page.getByRole('button', { name: view }).click();
      await page.locator(`[aria-current]:text("${view}")`).waitFor();
      await expectAccessible(page);
      await shoot(page, view.slice(0, 4));
    }
    quiet();
  });

  it('the sandbox bank asks for a merchant, reports an unknown one, and hides other cards', async () => {
    const { page, outside, errors } = await open();
    await page.goto(`${service.url}/sandbox/bank`);
    await page.getByLabel('The merchant’s oi_merchant_id').fill('nobody');
    await page.getByRole('button', { name: 'Show the statement' }).click();
    await page.getByText('No merchant that keeps orders has this name.').waitFor();
    await expectAccessible(page);
    const { sid } = service.credentials.site;
    const other = sentOrder({ reference: 'Not shown', card_lastfour: '1111', arn: null });
    await call('/orders/create', { sid, ...other, order_date: now });
    await page.goto(bank());
    expect(await page.locator('.charges li').count()).toBe(3);
    expect([outside, errors]).toEqual([[], []]);
  });

  it('sends the dispute of a charge that is not recognised, once, which marks the order', async () => {
    const { page, quiet } = await opened(open);
    await tap(page);
    for (let time = 0; time < 2; time += 1) {
      await page.getByRole('button', { name: 'I don’t recognise this' }).click();
      await page.getByRole('heading', { name: 'Dispute sent' }).waitFor();
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Cardholder’s app' }).click();
    }
    await service.untilIdle();
    const { alerts, order, lookups } = await call(`/orders/${orderId}/details`, {});
    expect(alerts).toMatchObject([{ alert_type: 'DISPUTE', status: 'OPEN' }]);
    expect(order).toMatchObject({ disputed: true });
    expect((lookups as { outcome: string }[])[0]?.outcome).toBe('open');
    expect((lookups as { outcome: string }[]).at(-1)?.outcome).toBe('disputed');
    quiet();
  });
});

describe('the bank', () => {
  it('answers a charge that is not on the statement with a page that says so', async () => {
    const body = new URLSearchParams({ client: demoClientId, order: '1', view: 'agent', action: 'ask' });
    const response = await fetch(`${service.url}/sandbox/bank`, { method: 'POST', body });
    expect([response.status, response.headers.get('content-security-policy')]).toEqual([
      404,
      expect.stringContaining("default-src 'none'"),
    ]);
  });
});
