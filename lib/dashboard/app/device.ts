import { chosenLanguage } from '../language/languages.ts';
import { translate } from '../language/translate.ts';
import { readStored, remember } from './storage.ts';

/** This browser as a device that shows notifications: its worker and its subscription at its push service. */

type WorkerUrlPolicy = { createScriptURL(text: string): string };
type PolicyMaker = { createPolicy(name: string, rules: WorkerUrlPolicy): WorkerUrlPolicy };

const workerUrl = (): string => new URL('dashboard/push-worker.js', new URL('.', document.baseURI)).href;

let policy: WorkerUrlPolicy | undefined;

/** The address of the worker, as browsers with trusted types accept it: no other script can be made of text. */
const trustedWorkerUrl = (): string => {
  const { trustedTypes: maker } = globalThis as { trustedTypes?: PolicyMaker };
  policy ??= maker?.createPolicy('push-worker', { createScriptURL: workerUrl }) ?? { createScriptURL: workerUrl };
  return policy.createScriptURL('');
};

/** Returns why this browser cannot show notifications, as a sentence; undefined if it can. */
export const deviceObstacle = (): string | undefined => {
  if (!('serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis))
    return translate(
      'This browser cannot show notifications. On an iPhone or iPad, add the dashboard to the home screen and open it there.',
    );
  return Notification.permission === 'denied'
    ? translate('Notifications of this page are blocked. Allow them in the settings of the browser.')
    : undefined;
};

const findRegistration = (): Promise<ServiceWorkerRegistration | undefined> | undefined =>
  // Browsers without workers, and pages that are not secure, have no such property.
  (navigator.serviceWorker as ServiceWorkerContainer | undefined)?.getRegistration(workerUrl());

/** Resolves when the worker is active. The page is outside its scope, so `navigator.serviceWorker.ready` never resolves. */
const awaitActivation = ({ active, installing, waiting }: ServiceWorkerRegistration): Promise<void> =>
  new Promise((resolve) => {
    const worker = installing ?? waiting;
    if (active || !worker) return resolve();
    worker.addEventListener('statechange', () => {
      if (worker.state === 'activated') resolve();
    });
  });

const browsers: readonly [RegExp, string][] = [
  [/Edg/, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\//, 'Firefox'],
  [/Chrome\//, 'Chrome'],
  [/Safari\//, 'Safari'],
];
const systems: readonly [RegExp, string][] = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS/, 'Mac'],
  [/Linux/, 'Linux'],
];
const nameIn = (names: readonly [RegExp, string][]): string[] =>
  names.flatMap(([pattern, name]) => (pattern.test(navigator.userAgent) ? [name] : [])).slice(0, 1);

/** A name for this browser: `Chrome, Windows`. */
const deviceName = (): string => [...nameIn(browsers), ...nameIn(systems)].join(', ') || 'Browser';

/** Asks for the permission and subscribes with a key (base64url). Returns what the service needs; undefined if the person refuses. */
export const subscribe = async (publicKey: string) => {
  if ((await Notification.requestPermission()) !== 'granted') return undefined;
  const registration = await navigator.serviceWorker.register(trustedWorkerUrl());
  await awaitActivation(registration);
  // A subscription of another user has another key, and a browser has only one.
  await (await registration.pushManager.getSubscription())?.unsubscribe();
  const subscription = await registration.pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: publicKey,
  });
  const { endpoint = '', keys = {} } = subscription.toJSON();
  const { p256dh = '', auth = '' } = keys;
  return { endpoint, p256dh, auth, name: deviceName(), language: chosenLanguage().code };
};

/** Ends this browser's subscription; the service forgets it at the next notification. */
export const unsubscribe = async (): Promise<void> => {
  remember('device', undefined);
  remember('device-of', undefined);
  const registration = await findRegistration();
  await (await registration?.pushManager.getSubscription())?.unsubscribe();
};

/** Keeps which device of which user this browser is. */
export const keepDevice = (id: string, username: string): void => {
  remember('device', id);
  remember('device-of', username);
};

/** The device that this browser is; undefined if it is none. */
export const presentDevice = (): string | undefined => readStored('device');
