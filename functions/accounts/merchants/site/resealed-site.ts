import type { Reseal } from '#core/kernel/key-ring.ts';
import { type AlertSettings, type SealedSecret, type Site, sealContext } from './site.ts';

/** Returns a site with all of its secrets resealed. */
export const resealedSite = (site: Site, reseal: Reseal): Site => {
  const { sid, alert, threeDs } = site;
  const anew = <S extends SealedSecret>(secret: S, context: string): S => ({
    ...secret,
    sealed: reseal(context, secret.sealed),
  });
  return {
    ...site,
    rcodes: site.rcodes.map((one) => anew(one, sealContext.rcode(sid))),
    signingSecrets: site.signingSecrets.map((one) => anew(one, sealContext.signingSecret(sid))),
    alert: alert && { ...alert, ...alertSecrets(alert, sid, anew) },
    threeDs: threeDs && {
      ...threeDs,
      secrets: Object.fromEntries(
        Object.entries(threeDs.secrets).map(([field, secret]) => [
          field,
          anew(secret, sealContext.threeDs(sid, field)),
        ]),
      ),
    },
  };
};

const chats = ['slack_webhook_url', 'teams_webhook_url'] as const;

const alertSecrets = (
  alert: AlertSettings,
  sid: number,
  anew: <S extends SealedSecret>(secret: S, context: string) => S,
): Partial<AlertSettings> => ({
  token: alert.token && anew(alert.token, sealContext.token(sid)),
  ...Object.fromEntries(
    chats.flatMap((name) => {
      const url = alert[name];
      return url ? [[name, anew(url, sealContext.chat(sid, name))]] : [];
    }),
  ),
});
