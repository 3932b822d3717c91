import * as v from 'valibot';
import { describeField, text } from './field-words.ts';

const faultFields = {
  reason: describeField(
    v.picklist(['refused', 'bounced', 'complained']),
    '`refused`: SES did not take the last e-mail; `bounced` or `complained`: it sends nothing to the address any more.',
  ),
  at: text('Since when, ISO 8601.'),
};

/** Why e-mails to a user do not arrive. */
export const MailFaultReply = describeField(
  v.nullable(v.object(faultFields)),
  'Why e-mails to the user do not arrive, as far as it is known; null: nothing speaks against it.',
);

/** The addresses of a site to which e-mails do not arrive. */
export const MailFaultsReply = describeField(
  v.array(v.object({ email: text('The address.'), ...faultFields })),
  'Addresses in these settings to which e-mails do not arrive, as far as it is known.',
);
