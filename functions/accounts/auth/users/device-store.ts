import { nowIso } from '#core/kernel/clock.ts';
import { open, seal } from '#core/kernel/crypto.ts';
import { keyRing } from '#core/platform/secrets/secrets.ts';
import { retryOnConflict } from '#core/platform/table/conflict-store.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem, transact, type Write } from '#core/platform/table/table.ts';
import { newDeviceId, newPushKeys } from '../sessions/session-secrets.ts';
import { type Devices, devicesContext, type NotifiedDevice, notifiedDevices, withDevice } from './device.ts';
import { devicesWrite, fromDevicesItem } from './device-row.ts';
import type { User } from './user.ts';

/** The devices of a user; undefined if none was ever prepared. */
export const findDevices = async (username: string): Promise<Devices | undefined> =>
  fromDevicesItem(await getItem(keys.devices(username)));

/** `prepare`: makes the keys with which a browser subscribes. */
export type DeviceChange =
  | { action: 'prepare' }
  | ({ action: 'add' } & Omit<NotifiedDevice, 'id' | 'createdAt' | 'signedInAt'>)
  | { action: 'remove'; id: string };

const prepare = async (username: string): Promise<Omit<Devices, 'version'>> => {
  const { publicKey, privateKey } = newPushKeys();
  const sealed = seal(await keyRing('encryption'), devicesContext(username), privateKey);
  return { username, publicKey, sealed, list: [] };
};

/** The list after a change; the same one if nothing is different. */
const listAfter = (
  list: readonly NotifiedDevice[],
  change: DeviceChange,
  signedInAt: string,
): readonly NotifiedDevice[] => {
  if (change.action === 'prepare') return list;
  if (change.action === 'remove')
    return list.some(({ id }) => id === change.id) ? list.filter(({ id }) => id !== change.id) : list;
  const { action: _, ...device } = change;
  return withDevice(list, { ...device, id: newDeviceId(), createdAt: nowIso(), signedInAt });
};

/** The devices of a user after a change in a session that began at `signedInAt` (ISO), and the parts of a transaction for it. */
export const changeDevices = async (
  { username, sessionsEndedAt }: User,
  change: DeviceChange | undefined,
  signedInAt: string,
): Promise<{ devices: Devices | undefined; writes: Write[] }> => {
  const before = await findDevices(username);
  if (!change || (!before && change.action === 'remove')) return { devices: before, writes: [] };
  const start = before ?? (await prepare(username));
  const list = listAfter(notifiedDevices(start, sessionsEndedAt), change, signedInAt);
  const isSame = before && list.length === before.list.length && list.every((one) => before.list.includes(one));
  if (isSame) return { devices: before, writes: [] };
  const after = { ...start, list };
  return { devices: { ...after, version: 0 }, writes: [devicesWrite(before, after)] };
};

/** Forgets a device whose subscription has ended. */
export const forgetDevice = (username: string, id: string): Promise<void> =>
  retryOnConflict(async () => {
    const before = await findDevices(username);
    if (!before?.list.some((device) => device.id === id)) return;
    const list = before.list.filter((device) => device.id !== id);
    await transact({ devices: [devicesWrite(before, { ...before, list })] });
  });

/** The devices to notify of a user whose sessions were last ended at a time (ISO), with the keys that sign for them. */
export const findNotifiedDevices = async (username: string, sessionsEndedAt: string | null) => {
  const devices = await findDevices(username);
  const list = notifiedDevices(devices, sessionsEndedAt);
  if (!devices || list.length === 0) return undefined;
  const privateKey = open(await keyRing('encryption'), devicesContext(username), devices.sealed);
  return { publicKey: devices.publicKey, privateKey, list };
};
