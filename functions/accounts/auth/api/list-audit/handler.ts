import { type AuditSummary, auditEntity } from '#core/platform/audit/audit-row.ts';
import { endpoint } from '#core/platform/http/http.ts';
import { readPage } from '#core/platform/lists/listing-store.ts';
import { auditScope } from '../../audit-scope-store.ts';
import { listAuditOperation } from './operation.ts';

export const handler = endpoint(
  listAuditOperation,
  async ({ body: { mid, sid, username, date_from: from, date_to: to, ...page }, caller }) => {
    const scope = await auditScope({ mid, sid, username }, caller);
    const { list, ...counts } = await readPage<AuditSummary>({ entity: auditEntity, ...scope, from, to, ...page });
    return { ...counts, list: list.map((entry) => ({ changes: [], ...entry })) };
  },
);
