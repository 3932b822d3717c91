import * as v from 'valibot';
import { type Item, requireVersion, type Write } from '#core/platform/table/item.ts';
import { keys } from '#core/platform/table/keys.ts';
import { defineRow } from '#core/platform/table/row.ts';
import { inboxMatchDue } from './inbox-match-due.ts';

/** Unmatched alerts have to be compared with what a request has enrolled. */
export type InboxMatch = { enrollmentId: number; version: number };

const InboxMatchRow = defineRow<InboxMatch>({
  entity: 'INBOX_MATCH',
  attribute: 'match',
  schema: v.looseObject({ enrollmentId: v.number(), version: v.number() }),
});

/** Reads it back. */
export const fromInboxMatchItem = InboxMatchRow.find;

/** The part of a transaction that makes it due; `version` is the request's, which tells a newer one apart. `at`: ISO. */
export const inboxMatchWrite = ({ enrollmentId, version }: InboxMatch, at: string): Write => ({
  Put: {
    Item: {
      ...keys.inboxMatch(enrollmentId),
      ...InboxMatchRow.stamp,
      id: enrollmentId,
      ...inboxMatchDue.keys(at, enrollmentId),
      match: { enrollmentId, version },
    } satisfies Item,
  },
});

/** The part that ends it. Its condition fails if it has become due again. */
export const endedInboxMatchWrite = ({ enrollmentId, version }: InboxMatch): Write => ({
  Delete: {
    Key: keys.inboxMatch(enrollmentId),
    ...requireVersion(version, 'match'),
  },
});
