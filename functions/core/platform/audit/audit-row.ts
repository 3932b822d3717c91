import { facetOf, listKeys, listPosition } from '../lists/listing.ts';
import { keys } from '../table/keys.ts';
import type { AuditEntry } from './audit.ts';
import type { AuditChange } from './audit-values.ts';

export const auditEntity = 'AUDIT';

/** Retention of an entry: PCI DSS requires a year. */
const keptDays = 400;

const wireValue = (value: AuditChange['before']) => (typeof value === 'object' && value ? [...value] : value);

/** An entry as lists show it, names as on the wire. */
const toAuditDto = ({ sourceIp, requestId, ...entry }: AuditEntry) => ({
  ...entry,
  ids: { ...entry.ids },
  fields: [...entry.fields],
  changes: entry.changes.map(({ field, before, after }) => ({
    field,
    before: wireValue(before),
    after: wireValue(after),
  })),
  source_ip: sourceIp,
  request_id: requestId,
});
type AuditDto = ReturnType<typeof toAuditDto>;
/** Entries of 1.1 and before have no values. */
export type AuditSummary = Omit<AuditDto, 'changes'> & Partial<Pick<AuditDto, 'changes'>>;

export const userScope = (username: string): string => `U${username.trim().toLowerCase()}`;

/**
 * The scope of entries about a site. Entries by a merchant's user also carry that merchant: a user who names another merchant's site
 * learns nothing about it, and its owner sees no such entries.
 */
const siteScope = (sid: number, mid: number | null): string => (mid === null ? `S${sid}` : `S${sid}M${mid}`);

/** The scopes that a site's owner may see: what operators did, and what their own users did. */
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
