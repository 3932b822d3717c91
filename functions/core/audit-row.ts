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

export const toAuditItem = (entry: AuditEntry) => ({
  ...keys.audit(entry.id),
  entity: auditEntity,
  ...listKeys(
    auditEntity,
    [
      'all',
      entry.mid === null ? null : `M${entry.mid}`,
      userScope(entry.by),
      entry.sid === null ? null : `S${entry.sid}`,
    ],
    facetOf(entry.operation, entry.result),
    listPosition(entry.at, entry.id),
  ),
  summary: toAuditDto(entry),
  ttl: Math.ceil(Date.parse(entry.at) / 1000) + keptDays * 86_400,
});
