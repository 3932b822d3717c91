import type { Page, Worker } from 'playwright-core';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { describeInBrowser } from '#test/support/browser.ts';
import { startPushService } from '#test/support/fake-push-service.ts';
import { send } from '#test/support/personas.ts';
import { takePictures } from '#test/support/pictures.ts';
import { startStack, type TestStack } from '#test/support/stack.ts';
import { patiently } from '#test/support/wait-options.ts';
import { expectAccessible } from './axe.ts';
import { signInAs } from './people.ts';

let service: TestStack;
let push: Awaited<ReturnType<typeof startPushService>>;
beforeAll(async () => {
  [service, push] = await Promise.all([startStack(), startPushService()]);
  const { username } = service.credentials.merchant;
  const body = { username, email: 'alerts@shop.example' };
  const reply = await service.call('/api/v3/users/update', { token: await service.tokenOf('admin'), body });
  expect(reply.status).toBe(200);
});
afterAll(() => Promise.all([service.stop(), push.stop()]));

/**
 * Chromium subscribes at Google's service, which tests do not reach: the subscription is one of the stand-in. Its shell without windows permits
 * no notifications, so the permission is given here.
 */
const standInForSubscribing = async (page: Page) => {
  await page.exposeFunction('subscribeAtStandIn', (key: string) => push.subscribe(key));
  await page.exposeFunction('endAtStandIn', (device: string) => push.end(device));
  await page.addInitScript(() => {
    type StandIn = {
      subscribeAtStandIn(key: string): Promise<{ device: string; endpoint: string; p256dh: string; auth: string }>;
      endAtStandIn(device: string): Promise<void>;
    };
    const standIn = globalThis as unknown as StandIn;
    let permission = 'default';
    Object.defineProperty(Notification, 'permission', { get: () => permission });
    Notification.requestPermission = async () => {
      permission = 'granted';
      return 'granted';
    };
    let present: object | null = null;
    Object.assign(PushManager.prototype, {
      getSubscription: async () => present,
      subscribe: async ({ applicationServerKey }: { applicationServerKey: string }) => {
        const { device, endpoint, ...keys } = await standIn.subscribeAtStandIn(applicationServerKey);
        present = {
          toJSON: () => ({ endpoint, keys }),
          unsubscribe: async () => {
            present = null;
            await standIn.endAtStandIn(device);
            return true;
          },
        };
        return present;
      },
    });
  });
};

/** Hands a message to the page's worker, as Chromium does with one of its push service. */
const deliver = async (page: Page, content: object) => {
  const session = await page.context().newCDPSession(page);
  const found = new Promise<string>((resolve) => {
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [{ registrationId } = { registrationId: '' }] = registrations.filter(({ isDeleted }) => !isDeleted);
      if (registrationId !== '') resolve(registrationId);
    });
  });
  await session.send('ServiceWorker.enable');
  const registrationId = await found;
  await session.send('ServiceWorker.deliverPushMessage', {
    origin: service.url,
    registrationId,
    data: JSON.stringify(content),
  });
};

type Shown = { title: string; body: string; tag: string };
type WorkerScope = EventTarget & {
  shown: Map<string, object>;
  registration: { showNotification(title: string, options: { tag: string; data: object }): Promise<void> };
};

/** The page's worker, whose notifications are kept instead of shown: one for each tag. */
const findWorker = async (page: Page): Promise<Worker> => {
  const [worker] = page.context().serviceWorkers();
  if (!worker) throw new Error('The page has no worker.');
  await worker.evaluate(() => {
    const scope = globalThis as unknown as WorkerScope;
    scope.shown = new Map();
    scope.registration.showNotification = async (title, { tag, ...rest }) => {
      scope.shown.set(tag, { title, tag, ...rest });
    };
  });
  return worker;
};

const shownBy = (worker: Worker): Promise<Shown[]> =>
  worker.evaluate(() => [...(globalThis as unknown as WorkerScope).shown.values()] as Shown[]);

/** Presses the notification that is shown. */
const press = (worker: Worker) =>
  worker.evaluate(() => {
    const scope = globalThis as unknown as WorkerScope;
    const [{ data } = {}] = [...scope.shown.values()] as { data?: object }[];
    const event = new Event('notificationclick');
    scope.dispatchEvent(
      Object.assign(event, { notification: { data, close: () => undefined }, waitUntil: () => undefined }),
    );
  });

/** Turns notifications on at the account page. */
const turnOn = async (page: Page) => {
  await signInAs(page, service, service.credentials.merchant, '/dashboard#/account');
  await page.getByRole('button', { name: 'Turn on' }).click();
  await page.getByText('This device shows notifications now.').waitFor();
};

describeInBrowser('notifications on a device', (open) => {
  it('show a new alert, once however often it comes, and open it', async () => {
    const { page } = await open();
    await standInForSubscribing(page);
    await turnOn(page);
    await page.getByText('(this device)').waitFor();
    await expectAccessible(page);
    await takePictures(page, 'devices');
    const alertId = await send(service);
    await push.until(() => push.messages.some(({ content }) => content['path'] === `#/alerts/${alertId}`));
    expect(push.refusals).toEqual([]);
    const [content = {}] = push.messages.map((one) => one.content);
    expect(content).toMatchObject({ title: 'New alert', lang: 'en' });
    const worker = await findWorker(page);
    await deliver(page, content);
    await vi.waitUntil(async () => (await shownBy(worker)).length > 0, patiently);
    await deliver(page, { ...content, body: 'again' });
    await vi.waitUntil(async () => (await shownBy(worker)).some(({ body }) => body === 'again'), patiently);
    expect(await shownBy(worker)).toMatchObject([{ title: 'New alert', tag: content['tag'] }]);
    await press(worker);
    await page.waitForURL(`**/dashboard#/alerts/${alertId}`);
    await page.locator('.pane').first().waitFor();
  });

  it('end when the person removes the device or signs out', async () => {
    const { page } = await open();
    await standInForSubscribing(page);
    await turnOn(page);
    // The list still shows only the other devices when the message appears.
    const own = page.getByRole('listitem').filter({ hasText: '(this device)' });
    await own.getByRole('button', { name: /^Remove / }).click();
    await page.getByText('The device was removed.').waitFor();
    await page.getByRole('button', { name: 'Turn on' }).click();
    await page.getByText('(this device)').waitFor();
    await page.getByRole('button', { name: 'Sign out everywhere' }).click();
    await page.getByLabel('Username').waitFor();
    const before = push.messages.length;
    const { body } = await service.call('/api/v3/users', { token: await service.tokenOf('merchant'), body: {} });
    expect(body).toMatchObject({ devices: { list: [] } });
    await send(service);
    await service.untilIdle();
    expect(push.messages).toHaveLength(before);
  });

  it('cannot be turned on where they are blocked, and the page says why', async () => {
    const { page } = await open();
    await page.addInitScript(() => Object.defineProperty(Notification, 'permission', { get: () => 'denied' }));
    await signInAs(page, service, service.credentials.merchant, '/dashboard#/account');
    await page.getByText('Notifications of this page are blocked.').waitFor();
    expect(await page.getByRole('button', { name: 'Turn on' }).isDisabled()).toBe(true);
  });
});
