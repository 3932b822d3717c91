import type { Alert } from '../alert.ts';

/** The username of the user to whom an alert is assigned; null: to none. */
export const getAssignee = ({ assignee }: Pick<Alert, 'assignee'>): string | null => assignee ?? null;

/** The alert after it was assigned to a user, or to none. */
export const withAssignee = ({ assignee: _, ...alert }: Alert, username: string | null): Alert => ({
  ...alert,
  ...(username !== null && { assignee: username }),
  version: alert.version + 1,
});

/** The scope of the list of a user's alerts. By merchant too, so that a list never spans two merchants. */
export const assigneeScope = (mid: number, username: string): string => `U${mid}.${username}`;
