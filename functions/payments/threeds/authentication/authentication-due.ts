import * as v from 'valibot';
import { defineDue, type Row, Slot, whenTimed } from '#core/platform/work/due.ts';

/** See how a payer's challenge ended. `slot`: the check it was sent for. */
export const AuthenticationMessage = v.object({ authenticationId: v.number(), slot: v.optional(Slot) });

const bodyOf = ({ id }: Row) => ({ authenticationId: Number(id) });

/** A challenge is looked at when its 3DS server is to be asked, whether or not its payer comes back. */
export const authenticationDue = defineDue({
  kind: 'AUTHENTICATION',
  queue: 'settlement',
  message: AuthenticationMessage,
  swept: bodyOf,
  wakes: { AUTHENTICATION: whenTimed('nextCheckAt', (row, slot) => ({ ...bodyOf(row), slot })) },
});
