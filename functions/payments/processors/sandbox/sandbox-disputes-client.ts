import type { DisputesOf } from '../ports/account.ts';
import { sandboxDisputes } from './sandbox-dispute-store.ts';

/** Connections to it have none. */
export const sandboxDisputesOf: DisputesOf = ({ owner }) => ('sid' in owner ? sandboxDisputes(owner.sid) : undefined);
