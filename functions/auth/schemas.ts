import * as v from 'valibot';
import { Text } from '../core/schema.ts';

export const Credentials = v.object({
  username: Text(100),
  password: v.pipe(
    v.string('must be text'),
    v.minLength(1, 'must not be empty'),
    v.maxLength(1024, 'must have at most 1024 characters'),
  ),
});

export const AccessToken = v.object({
  access_token: v.string(),
  token_type: v.literal('Bearer'),
  /** Seconds. */
  expires_in: v.number(),
});
