import { milliseconds } from '#core/kernel/clock.ts';

/** The name under which sites are in their lists. */
export const siteEntity = 'SITE';

export const siteTypes = ['payment', '3ds', 'alert'] as const;
export type SiteType = (typeof siteTypes)[number];

/** A secret as the table keeps it: encrypted, and until when it is valid (ISO); null: until it is rotated. */
export type SealedSecret = { sealed: string; validUntil: string | null };

/** A URL with which anybody can write to a chat: encrypted, and its host, by which people know it. */
type SealedUrl = SealedSecret & { host: string };

/** The addresses of a site's chats in the clear; null: it has none there. */
export type ChatUrls = Readonly<Record<'slack' | 'teams', string | null>>;

/** For an rcode also its SHA-256, under which its holder is looked up. */
export type SealedRcode = SealedSecret & { digest: string };

/** The settings of an alert site's owner; names as on the wire, the webhook token encrypted. */
export type AlertSettings = {
  /** Where new alerts go. */
  alertapiurl: string | null;
  /** The merchant's own code, echoed in every alert. */
  descriptorid: string;
  username: string;
  /** Sent as `Authorization: Bearer …` with every callback. */
  token: SealedSecret | null;
  default_dispute_action: 'REFUND' | 'CANCEL' | 'REVIEW' | null;
  /** A canonical decimal, in the site's currency. */
  max_refund_amount: string | null;
  /** The number of refunds that rules may make on one UTC day; null or absent: the default in disputes/rules/decide/rule-decision.ts. */
  max_daily_refunds?: number | null;
  alert_triggeremail: boolean;
  alert_email: readonly string[];
  shieldrdr_review_email: readonly string[];
  /** The format of callbacks that are forms by contract; absent: forms. */
  body_format?: 'form' | 'json';
  statusupdate_url: string | null;
  status_update_opt_in: boolean;
  /** Of which statuses: `named`, those that the interface names, or `all`; absent: `named`. */
  status_update_statuses?: 'named' | 'all';
  enrollment_url: string | null;
  /** Incoming webhooks of chats that are notified of new alerts; null or absent: none. */
  slack_webhook_url?: SealedUrl | null;
  teams_webhook_url?: SealedUrl | null;
  /** True if event alert_deadline is sent 6 h before a deadline. */
  deadline_warning: boolean;
  /** Within how many hours the site wants to answer: never later than its network wants the answer. */
  deadline_hours: { FRAUD: number; DISPUTE: number; CANCEL: number };
};

/** The longest time that any network gives: each alert is due when its own network wants the answer. */
export const defaultDeadlineHours = { FRAUD: 72, DISPUTE: 72, CANCEL: 72 } as const;

/** The settings of a payment site's owner; names as on the wire, lists of addresses as lists. */
export type PaymentSettings = Readonly<Record<string, string | number | readonly string[]>>;

/** The settings of a 3DS site's owner; names as on the wire. */
export type ThreeDsSettings = {
  settings: Readonly<Record<string, string | number>>;
  servicesettings: Readonly<Record<string, string | number>>;
  /** The secrets of either object, by name. */
  secrets: Readonly<Record<string, SealedSecret>>;
};

export type Site = {
  sid: number;
  mid: number;
  rid: number;
  name: string;
  /** Names do not change, so a site carries those of its parents: notifications show them. */
  merchantName: string;
  retailerName: string;
  createdAt: string;
  /** Null until the first settings operation fixes it permanently. */
  type: SiteType | null;
  /** The create body's other fields, as sent; the currency is the retailer's if none was given. */
  profile: Readonly<Record<string, string | number | boolean>>;
  alert: AlertSettings | null;
  payment: PaymentSettings | null;
  threeDs: ThreeDsSettings | null;
  /** Newest first; after a rotation the previous one stays valid for 24 hours. */
  rcodes: readonly SealedRcode[];
  /** Newest first; `whsec_…` of Standard Webhooks. */
  signingSecrets: readonly SealedSecret[];
  /** Goes up with every write; a write names the version it read. */
  version: number;
};

/** The time for which a rotated secret stays valid together with its successor. */
const rotationMilliseconds = 24 * milliseconds.hour;

/** The secrets that are valid at a time, newest first. */
export const validAt = <S extends SealedSecret>(secrets: readonly S[], at: string): S[] =>
  secrets.filter(({ validUntil }) => validUntil === null || at < validUntil);

/** The number of secrets that may be valid at once: an owner who rotates more often within a day wants the oldest to end. */
const maxValid = 5;

/** The list after a rotation: the new secret, then those that were valid, each until its end or for 24 hours more. */
export const rotateSecret = <S extends SealedSecret>(secrets: readonly S[], fresh: S, at: string): S[] => {
  const end = new Date(Date.parse(at) + rotationMilliseconds).toISOString();
  const earlier = validAt(secrets, at).map((secret) => ({ ...secret, validUntil: secret.validUntil ?? end }));
  return [fresh, ...earlier].slice(0, maxValid);
};

/** The names under which a site's secrets are sealed; see `seal`. */
export const sealContext = {
  rcode: (sid: number) => `site:${sid}:rcode`,
  signingSecret: (sid: number) => `site:${sid}:signing-secret`,
  token: (sid: number) => `site:${sid}:token`,
  chat: (sid: number, setting: string) => `site:${sid}:${setting}`,
  threeDs: (sid: number, field: string) => `site:${sid}:3ds:${field}`,
} as const;
