/** A browser that shows notifications of its user: a subscription at the browser's push service. */
export type NotifiedDevice = {
  id: string;
  /** A name by which its user recognises it. */
  name: string;
  /** The address at the push service. */
  endpoint: string;
  /** The browser's public key and its secret, base64url: contents are encrypted for these (RFC 8291). */
  p256dh: string;
  auth: string;
  /** The language in which it shows texts. */
  language: DeviceLanguage;
  /** ISO. */
  createdAt: string;
  /** When the session in which it was added began (ISO). */
  signedInAt: string;
};

export const deviceLanguages = ['en', 'de', 'fr', 'es', 'pt'] as const;
export type DeviceLanguage = (typeof deviceLanguages)[number];

/** The devices of a user, newest first, with the key pair that push services know them by. */
export type Devices = {
  username: string;
  publicKey: string;
  /** The private key, sealed for `devicesContext`. */
  sealed: string;
  list: readonly NotifiedDevice[];
  /** Goes up with every write. */
  version: number;
};

/** Returns the context to which a sealed private key is bound. */
export const devicesContext = (username: string): string => `user:${username}:devices`;

const maxDevices = 10;

/** The devices that are notified: those added in sessions that began after the user's sessions were ended last (ISO). A password may have become known before. */
export const notifiedDevices = (
  devices: Pick<Devices, 'list'> | undefined,
  sessionsEndedAt: string | null,
): readonly NotifiedDevice[] =>
  (devices?.list ?? []).filter(({ signedInAt }) => sessionsEndedAt === null || signedInAt > sessionsEndedAt);

/** The list with one device more. It replaces the same browser's earlier entry and, where there are ten, the oldest. */
export const withDevice = (list: readonly NotifiedDevice[], device: NotifiedDevice): NotifiedDevice[] =>
  [device, ...list.filter(({ endpoint }) => endpoint !== device.endpoint)].slice(0, maxDevices);

/** A user's devices as the user sees them, without addresses and keys. `public_key`: null before the first was prepared. */
export const toDevicesDto = (devices: Devices | undefined, sessionsEndedAt: string | null) => ({
  public_key: devices?.publicKey ?? null,
  list: notifiedDevices(devices, sessionsEndedAt).map(({ id, name, createdAt }) => ({
    ...{ id, name },
    created_at: createdAt,
  })),
});
