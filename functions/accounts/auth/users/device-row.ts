import * as v from 'valibot';
import { texts } from '#core/kernel/schema/shape-fields.ts';
import { type Item, requireNew, requireVersion, type Write } from '#core/platform/table/item.ts';
import { keys } from '#core/platform/table/keys.ts';
import { defineRow } from '#core/platform/table/row.ts';
import type { Devices } from './device.ts';

const DevicesRow = defineRow<Devices>({
  entity: 'DEVICES',
  attribute: 'devices',
  schema: v.looseObject({
    ...texts('username', 'publicKey', 'sealed'),
    list: v.array(
      v.looseObject({
        ...texts('id', 'name', 'endpoint', 'p256dh', 'auth', 'language', 'createdAt', 'signedInAt'),
      }),
    ),
    version: v.number(),
  }),
});

const toDevicesItem = (devices: Devices): Item => ({ ...keys.devices(devices.username), ...DevicesRow.stamp, devices });

/** The part of a transaction that changes a user's devices. Its condition fails if they have changed since they were read. */
export const devicesWrite = (before: Devices | undefined, after: Omit<Devices, 'version'>): Write => ({
  Put: {
    Item: toDevicesItem({ ...after, version: (before?.version ?? 0) + 1 }),
    ...(before ? requireVersion(before.version, 'devices') : requireNew),
  },
});

/** Reads a user's devices back. */
export const fromDevicesItem = DevicesRow.find;
