import { nowIso } from '#core/kernel/clock.ts';
import type { WithHeaders } from '#core/platform/http/http.ts';
import { keyRing } from '#core/platform/secrets/secrets.ts';
import { isDone, maxStarts } from '../authentication/authentication.ts';
import { claimStart, saveAuthentication } from '../authentication/authentication-store.ts';
import { afterVersions } from '../server/answers.ts';
import { findServer } from '../server/server-client.ts';
import { claimStep, logUnavailable, type SentCard, tooMany, usableCard } from './card-call-store.ts';
import type { ClientCall } from './client-access.ts';
import { doneReply, forPage, type PageReply } from './page-reply-flow.ts';

/** Asks the 3DS server about a card. What was under way before is given up. */
export const startAuthentication = (
  call: ClientCall,
  sent: SentCard,
  baseUrl: string,
): Promise<WithHeaders<PageReply>> =>
  forPage(call.origin, async (learn) => {
    const ring = await keyRing('encryption');
    const context = { ring, learn };
    const card = await usableCard(call, sent, context);
    const kept = card.toKeptCard(ring);
    const { granted, authentication } = await claimStep(call, context, (client) =>
      claimStart(call.id, client, kept.token),
    );
    if (!granted) {
      if (isDone(authentication)) return doneReply(authentication, ring);
      throw tooMany(
        authentication.starts >= maxStarts
          ? `It was started ${maxStarts} times.`
          : 'It was started with other cards before.',
      );
    }
    const server = findServer(authentication.settings, { sid: authentication.sid, ring, baseUrl });
    const versions = await server.versions(card, authentication.settings.highestVersion);
    logUnavailable(authentication, versions);
    const { scheme, first6, last4, token } = kept;
    const next = afterVersions(authentication, { scheme, first6, last4, token }, versions, nowIso());
    const saved = await saveAuthentication(authentication, next, { reference: true });
    return doneReply(saved, ring);
  });
