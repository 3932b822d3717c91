import * as v from 'valibot';
import { defineDue, type Row, Slot, whenTimed } from '#core/platform/work/due.ts';

/** See how a payer's challenge ended, or whether the payer has left before it. `slot`: the check it was sent for. */
export const AuthenticationMessage = v.object({ authenticationId: v.number(), slot: v.optional(Slot) });

const threeDsBody = ({ id }: Row) => ({ authenticationId: Number(id) });

/** An authentication is checked when its 3DS server must be asked about a challenge, or when it counts as abandoned. */
export const authenticationDue = defineDue({
  kind: 'AUTHENTICATION',
  queue: 'settlement',
  message: AuthenticationMessage,
  swept: threeDsBody,
  wakes: { AUTHENTICATION: whenTimed('nextCheckAt', (row, slot) => ({ ...threeDsBody(row), slot })) },
});
