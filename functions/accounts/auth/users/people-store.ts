import { readWhole } from '#core/platform/lists/list-index-store.ts';
import { listNameOf } from '#core/platform/lists/listing.ts';
import { type UserSummary, userEntity } from './user-row.ts';

const always = { from: '0000', to: '9999' };

/** The users of a merchant who may sign in, as lists show them: without digests and secrets. */
export const listPeople = async (mid: number): Promise<UserSummary[]> => {
  const partition = { index: 'list2', partition: listNameOf(userEntity, `M${mid}`) } as const;
  const items = await readWhole(partition, always, 'ASC');
  // Every row of this list is a user's, with the summary that lists show.
  return items.map(({ summary }) => summary as UserSummary).filter(({ disabled }) => !disabled);
};

/** The same, as far as e-mails and notifications are concerned. */
export const findMailReaders = async (mid: number) =>
  (await listPeople(mid)).map(({ username, email, role, time_zone: zone = null, alert_emails, sessions_ended_at }) => ({
    ...{ username, email, role, zone },
    hasDigest: alert_emails === 'daily',
    sessionsEndedAt: sessions_ended_at ?? null,
  }));
