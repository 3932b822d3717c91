import * as v from 'valibot';
import { defineDue, type Row, whenNew } from '../work/due.ts';

/** Sends this e-mail if it is still pending. */
export const MailMessage = v.object({ mailId: v.string() });

const mailBody = ({ id }: Row) => ({ mailId: String(id) });

/** An e-mail that must be sent. The function that sends it writes the result, which needs no message. */
export const mailDue = defineDue({
  kind: 'MAIL',
  queue: 'mail',
  message: MailMessage,
  swept: mailBody,
  wakes: { MAIL: whenNew(mailBody) },
});
