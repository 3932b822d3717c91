import { type KeyRing, open } from '../core/crypto.ts';
import type { CredentialsOf } from './credentials.ts';
import type { ProcessorName } from './processors.ts';
import { credentialsContext, type Route } from './routing.ts';

/** `sid`: the site whose route it is; `ring`: of the `encryption` secret. */
export type RouteContext = { sid: number; ring: KeyRing };

/**
 * An account's credentials in the clear, only for making its adapter. They were checked before they
 * were sealed, so reading them needs no schema.
 */
export const openCredentials = <P extends ProcessorName>(
  _processor: P,
  { id, sealed }: Route,
  { sid, ring }: RouteContext,
): CredentialsOf<P> => JSON.parse(open(ring, credentialsContext(sid, id), sealed ?? ''));
