import * as v from 'valibot';
import { isFields } from '#core/kernel/is-object.ts';
import { isPushEndpoint, isPushKey } from '#core/kernel/push-endpoint.ts';
import { CreatedAtReply } from '#core/kernel/schema/field-schemas.ts';
import { describeField, nullableText } from '#core/kernel/schema/field-words.ts';
import { allowsCardNumbers, Text } from '#core/kernel/schema/text.ts';
import { pushRules } from '#core/platform/post/push-rules.ts';
import { deviceLanguages } from './device.ts';

/** Keys of exact lengths: 65 bytes of a point, 16 of a secret. */
const Key = (characters: number) =>
  v.pipe(
    v.string('must be text'),
    v.regex(new RegExp(`^[\\w-]{${characters}}={0,2}$`), `must be base64url of ${characters} characters`),
    allowsCardNumbers('bytes of a device, not text'),
  );

const DeviceIdField = describeField(Text(20), 'The device, as the list has it.');

export const DeviceField = v.variant(
  'action',
  [
    v.object({ action: describeField(v.literal('prepare'), 'Makes the `public_key`, once.') }),
    v.object({
      action: describeField(v.literal('add'), 'Stores a subscription.'),
      endpoint: v.pipe(
        v.string('must be text'),
        v.check((text) => isPushEndpoint(text, pushRules()), 'must be an https address of a browser’s push service'),
        allowsCardNumbers('an address of a push service'),
        v.description('The address of the subscription at the push service.'),
      ),
      p256dh: v.pipe(
        Key(87),
        v.check(isPushKey, 'must be a point of P-256'),
        v.description('The browser’s public key.'),
      ),
      auth: describeField(Key(22), 'The browser’s secret for the encryption.'),
      name: describeField(Text(60), 'A name for the device, for its owner to recognise it.'),
      language: describeField(
        v.picklist(deviceLanguages, `must be one of ${deviceLanguages.join(', ')}`),
        'The language of notifications on the device.',
      ),
    }),
    v.object({ action: describeField(v.literal('remove'), 'Forgets a device.'), id: DeviceIdField }),
  ],
  'must be prepare, add or remove',
);

/** Checks whether a change of one's own settings adds or removes a device, to which alerts are then sent or no longer sent. */
export const changesDevices = (body: unknown): boolean =>
  isFields(body) && isFields(body['device']) && body['device']['action'] !== 'prepare';

export const DevicesReply = describeField(
  v.object({
    public_key: nullableText('The key with which browsers subscribe (VAPID); null before the first was prepared.'),
    list: describeField(
      v.array(
        v.object({
          id: describeField(v.string(), 'Identifies the device.'),
          name: describeField(v.string(), 'Its name.'),
          created_at: CreatedAtReply,
        }),
      ),
      'The devices that show notifications, newest first.',
    ),
  }),
  'The browsers that show your notifications.',
);
