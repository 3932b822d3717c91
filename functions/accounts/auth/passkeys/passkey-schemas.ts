import * as v from 'valibot';
import { CreatedAtReply, ExpiresAtReply } from '#core/kernel/schema/field-schemas.ts';
import { describeField, nullableText, text } from '#core/kernel/schema/field-words.ts';
import { allowsCardNumbers, Text } from '#core/kernel/schema/text.ts';

const longestBytes = 8192;

/** Bytes as base64url. */
const Bytes = (words: string, longest = longestBytes) =>
  v.pipe(
    v.string('must be text'),
    v.maxLength(longest, `must have at most ${longest} characters`),
    v.regex(/^[\w-]+={0,2}$/, 'must be base64url'),
    allowsCardNumbers('bytes of a device, not text'),
    v.description(words),
  );

export const PasskeyIdField = Bytes('The passkey’s identifier, as the browser and the list have it.', 1400);
export const PasskeyChallengeIdField = describeField(Text(40), 'The `id` of the reply that began this.');
export const PasskeyNameField = describeField(Text(60), 'A name for the passkey, for its owner to recognise it.');

const credentialFields = {
  id: PasskeyIdField,
  rawId: Bytes('The same as `id`.', 1400),
  type: describeField(v.literal('public-key', 'must be public-key'), 'Always public-key.'),
  authenticatorAttachment: describeField(
    v.nullish(v.picklist(['platform', 'cross-platform'])),
    '`platform`: the authenticator is built into the machine.',
  ),
  clientExtensionResults: describeField(v.optional(v.object({}), {}), 'Results of extensions, which are not used.'),
};

/** The result of `startRegistration` of @simplewebauthn/browser, or of `credential.toJSON()`. */
export const RegistrationCredential = describeField(
  v.object({
    ...credentialFields,
    response: describeField(
      v.object({
        clientDataJSON: Bytes('What the browser signed for.'),
        attestationObject: Bytes('The new credential.'),
        transports: v.optional(
          v.pipe(
            v.array(v.picklist(['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'])),
            v.maxLength(10, 'must have at most 10 entries'),
            v.description('How browsers reach the device.'),
          ),
        ),
      }),
      'The authenticator’s response, as WebAuthn defines it.',
    ),
  }),
  'The credential as the browser made it, in JSON.',
);

/** The result of `startAuthentication` of @simplewebauthn/browser, or of `credential.toJSON()`. */
export const AuthenticationCredential = describeField(
  v.object({
    ...credentialFields,
    response: describeField(
      v.object({
        clientDataJSON: Bytes('What the browser signed for.'),
        authenticatorData: Bytes('What the device states.'),
        signature: Bytes('Its signature.'),
        userHandle: v.nullish(Bytes('The user as the device knows it.', 100)),
      }),
      'The authenticator’s response, as WebAuthn defines it.',
    ),
  }),
  'The credential as the browser returned it, in JSON.',
);

/** The input of a call of the browser’s API. */
export const Begun = v.object({
  id: text('Send it back with the credential.'),
  expires_at: ExpiresAtReply,
  options: describeField(
    v.record(v.string(), v.unknown()),
    'Options for the browser’s `navigator.credentials`, in JSON as WebAuthn defines it.',
  ),
});

export const PasskeyDto = v.object({
  id: text('The passkey’s identifier.'),
  name: text('The name that the user gave it.'),
  host: text('The host for which it was made.'),
  created_at: CreatedAtReply,
  last_used_at: nullableText('When it was last used (ISO 8601, UTC).'),
});
