import { open } from '#core/kernel/crypto.ts';
import type { Account } from '../ports/account.ts';
import type { ProcessorName } from '../ports/processors.ts';
import { credentialsContext, type Route, type RouteContext } from '../routing/routing.ts';
import type { CredentialsOf } from './credentials.ts';

/**
 * An account's credentials in the clear, only for making its adapter. They were checked before they
 * were sealed, so reading them needs no schema.
 */
export const openCredentials = <P extends ProcessorName>(
  _processor: P,
  { id, sealed }: Route,
  { sid, ring }: RouteContext,
): CredentialsOf<P> => JSON.parse(open(ring, credentialsContext(sid, id), sealed ?? ''));

/** A site's account at a processor. */
export const siteAccount = (route: Route, context: RouteContext): Account => ({
  owner: { sid: context.sid },
  scope: `S${context.sid}`,
  open: () => JSON.parse(open(context.ring, credentialsContext(context.sid, route.id), route.sealed ?? '')),
});
