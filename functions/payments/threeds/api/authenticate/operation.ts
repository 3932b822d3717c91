import * as v from 'valibot';
import { describeField } from '#core/kernel/schema/field-words.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { windowSizes } from '../../authentication/authentication.ts';
import { ofClient } from '../../declarations.ts';
import { BrowserData } from '../../payer/browser-data.ts';
import { clientCardFields } from '../../payer/card-schemas.ts';
import { ClientToken } from '../../schemas.ts';

const methods = ['Y', 'N', 'U'] as const;

export const authenticate3dsOperation = defineOperation('threeds/authenticate', {
  ...ofClient,
  summary: 'Ask the issuer whether the payer is the cardholder',
  description:
    'For the SDK, within 75 seconds of `start` and with the same card; three times at most. `method` says how the 3DS method ' +
    'went: Y it came back, N it did not within ten seconds, U there is none.',
  path: '/api/v3/3ds/{id}/authenticate',
  body: v.object({
    client_token: ClientToken,
    ...clientCardFields,
    browser: describeField(BrowserData, 'JSON as text, as the SDK collects it.'),
    window_size: describeField(
      v.picklist(windowSizes, `must be one of ${windowSizes.join(', ')}`),
      'The size of the challenge’s window, 01 to 05 of EMV 3DS.',
    ),
    method: describeField(
      v.picklist(methods, `must be one of ${methods.join(', ')}`),
      'Whether the issuer’s 3DS method came back: Y, N, or U where there is none.',
    ),
  }),
  errors: ['client_token_wrong', 'page_origin_wrong', 'authentication_state_wrong', 'too_many_attempts'],
  grants: { table: ['GetItem', 'UpdateItem', 'PutItem', 'BatchGetItem'], secrets: ['encryption'] },
  memoryMegabytes: 512,
  // The issuer has ten of them. Another question may be asked 20 seconds after this one, when this one must be over.
  timeoutSeconds: 15,
});
