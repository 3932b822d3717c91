import type { AuditEntry } from './audit.ts';
import { keys } from './keys.ts';
import { facetOf, listKeys, listPosition } from './listing.ts';

export const auditEntity = 'AUDIT';

/** How long an entry is kept: PCI DSS wants a year. */
const keptDays = 400;

/** An entry as lists show it, names as on the wire. */
export const toAuditDto = ({ sourceIp, requestId, ...entry }: AuditEntry) => ({
  ...entry,
  ids: { ...entry.ids },
  fields: [...entry.fields],
  source_ip: sourceIp,
  request_id: requestId,
});
export type AuditSummary = ReturnType<typeof toAuditDto>;

export const userScope = (username: string): string => `U${username.trim().toLowerCase()}`;

/**
 * The list of what was done to a site. What a merchant's user did stands under their merchant too: whoever names another's site learns
 * nothing of it, and its owner nothing of them.
 */
const siteScope = (sid: number, mid: number | null): string => (mid === null ? `S${sid}` : `S${sid}M${mid}`);

/** All that a site's owner is to see of it: what operators did, and their own users. */
export const siteScopes = ({ sid, mid }: { sid: number; mid: number }): string[] => [
  siteScope(sid, null),
  siteScope(sid, mid),
];

export const toAuditItem = (entry: AuditEntry) => ({
  ...keys.audit(entry.id),
  entity: auditEntity,
  ...listKeys(
    auditEntity,
    [
      'all',
      entry.mid === null ? null : `M${entry.mid}`,
      userScope(entry.by),
      entry.sid === null ? null : siteScope(entry.sid, entry.scope === 'merchant' ? entry.mid : null),
    ],
    facetOf(entry.operation, entry.result),
    listPosition(entry.at, entry.id),
  ),
  summary: toAuditDto(entry),
  ttl: Math.ceil(Date.parse(entry.at) / 1000) + keptDays * 86_400,
});
