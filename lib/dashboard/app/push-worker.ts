/** Runs without a page, when a push service has a notification. It answers no requests, so the dashboard loads as without it. */

type Shown = { title: string; body: string; path: string; tag: string; lang: string };
type WindowClient = { url: string; focus(): Promise<unknown>; postMessage(message: unknown): void };
type Waiting = Event & { waitUntil(work: Promise<unknown>): void };
type PushEvent = Waiting & { data: { json(): Shown } | null };
type ClickEvent = Waiting & { notification: { data: { path: string }; close(): void } };

/** The part of a service worker's scope that is used: its types and those of pages cannot be loaded together. */
type Scope = {
  location: { href: string };
  registration: { showNotification(title: string, options: object): Promise<void> };
  clients: {
    matchAll(options: object): Promise<readonly WindowClient[]>;
    openWindow(url: string): Promise<unknown>;
  };
  addEventListener(type: 'push', listener: (event: PushEvent) => void): void;
  addEventListener(type: 'notificationclick', listener: (event: ClickEvent) => void): void;
};
const scope = globalThis as unknown as Scope;

/** Shows a notification. One with the same tag is replaced without another sound. */
const show = ({ title, body, path, tag, lang }: Shown): Promise<void> =>
  scope.registration.showNotification(title, { body, tag, lang, data: { path } });

/** Opens a path of the dashboard, in the window that already has the dashboard if there is one. */
const open = async (path: string): Promise<unknown> => {
  const dashboard = new URL('../dashboard', scope.location.href);
  const windows = await scope.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const present = windows.find(({ url }) => new URL(url).pathname === dashboard.pathname);
  if (!present) return scope.clients.openWindow(`${dashboard.href}${path}`);
  present.postMessage({ open: path });
  return present.focus();
};

scope.addEventListener('push', (event) => {
  const shown = event.data?.json();
  if (shown) event.waitUntil(show(shown));
});
scope.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data.path));
});

export type {};
