import { endpoint } from '#core/platform/http/http.ts';
import { readPage } from '#core/platform/lists/listing-store.ts';
import { readMailFaults } from '#core/platform/mail/mail-address-store.ts';
import { type UserSummary, userEntity } from '../../users/user-row.ts';
import { scopeOfMerchant } from '../../users/user-scope.ts';
import { listUsersOperation } from './operation.ts';

export const handler = endpoint(listUsersOperation, async ({ body: { mid, ...page }, caller }) => {
  const found = await readPage<UserSummary>({ entity: userEntity, ...scopeOfMerchant(mid, caller), ...page });
  const list = found.list.map(({ sessions_ended_at: _, ...one }) => ({
    ...one,
    time_zone: one.time_zone ?? null,
    alert_emails: one.alert_emails ?? ('each' as const),
  }));
  if (caller.role === 'analyst') return { ...found, list: list.map(toColleague) };
  const faults = new Map(
    (await readMailFaults(list.map(({ email }) => email))).map(({ email, ...one }) => [email, one]),
  );
  return { ...found, list: list.map((one) => ({ ...one, mail_fault: faults.get(one.email.toLowerCase()) ?? null })) };
});

const toColleague = <Row extends UserSummary>({ email: _, second_factor: __, ...shared }: Row) => shared;
