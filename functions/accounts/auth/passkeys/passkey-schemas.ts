import * as v from 'valibot';
import { CreatedAtReply, ExpiresAtReply } from '#core/kernel/schema/field-schemas.ts';
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
export const PasskeyChallengeIdField = v.pipe(Text(40), v.description('The `id` of the reply that began this.'));
export const PasskeyNameField = v.pipe(
  Text(60),
  v.description('A name for the passkey, for its owner to recognise it.'),
);

const credentialFields = {
  id: PasskeyIdField,
  rawId: Bytes('The same as `id`.', 1400),
  type: v.pipe(v.literal('public-key', 'must be public-key'), v.description('Always public-key.')),
  authenticatorAttachment: v.pipe(
    v.nullish(v.picklist(['platform', 'cross-platform'])),
    v.description('`platform`: the authenticator is built into the machine.'),
  ),
  clientExtensionResults: v.pipe(
    v.optional(v.object({}), {}),
    v.description('Results of extensions, which are not used.'),
  ),
};

/** The result of `startRegistration` of @simplewebauthn/browser, or of `credential.toJSON()`. */
export const RegistrationCredential = v.pipe(
  v.object({
    ...credentialFields,
    response: v.pipe(
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
      v.description('The authenticator’s response, as WebAuthn defines it.'),
    ),
  }),
  v.description('The credential as the browser made it, in JSON.'),
);

/** The result of `startAuthentication` of @simplewebauthn/browser, or of `credential.toJSON()`. */
export const AuthenticationCredential = v.pipe(
  v.object({
    ...credentialFields,
    response: v.pipe(
      v.object({
        clientDataJSON: Bytes('What the browser signed for.'),
        authenticatorData: Bytes('What the device states.'),
        signature: Bytes('Its signature.'),
        userHandle: v.nullish(Bytes('The user as the device knows it.', 100)),
      }),
      v.description('The authenticator’s response, as WebAuthn defines it.'),
    ),
  }),
  v.description('The credential as the browser returned it, in JSON.'),
);

/** The input of a call of the browser’s API. */
export const Begun = v.object({
  id: v.pipe(v.string(), v.description('Send it back with the credential.')),
  expires_at: ExpiresAtReply,
  options: v.pipe(
    v.record(v.string(), v.unknown()),
    v.description('Options for the browser’s `navigator.credentials`, in JSON as WebAuthn defines it.'),
  ),
});

export const PasskeyDto = v.object({
  id: v.pipe(v.string(), v.description('The passkey’s identifier.')),
  name: v.pipe(v.string(), v.description('The name that the user gave it.')),
  host: v.pipe(v.string(), v.description('The host for which it was made.')),
  created_at: CreatedAtReply,
  last_used_at: v.pipe(v.nullable(v.string()), v.description('When it was last used (ISO 8601, UTC).')),
});
