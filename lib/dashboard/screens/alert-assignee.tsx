import { useState } from 'preact/hooks';
import type { setAssigneeOperation as SetAssigneeOperation } from '#disputes/alerts/api/set-assignee/operation.ts';
import { remote } from '../app/client.ts';
import { say } from '../app/messages.tsx';
import type { AlertDto } from '../app/operations.ts';
import { user } from '../app/session.ts';
import { useShortcuts } from '../app/shortcuts.ts';
import { translate } from '../language/translate.ts';
import { Button } from '../parts/button.tsx';
import { Select } from '../parts/field.tsx';
import { Initials } from '../parts/initials.tsx';
import { mayAnswer, personName, useColleagues } from './colleagues.ts';

const setAssignee = remote<typeof SetAssigneeOperation>({
  path: '/api/v3/service_alerts/alert/{alert_id}',
  roles: ['analyst', 'manager'],
});

type AssigneeProps = { alert: AlertDto; onChanged: () => void };

/** The user to whom an alert is assigned, and the choice of another one. */
export const Assignee = ({ alert, onChanged }: AssigneeProps) => {
  const { alert_id, mid, assignee } = alert;
  const [isBusy, setBusy] = useState(false);
  const people = useColleagues(mid ?? undefined);
  const own = user.value?.mid === null ? undefined : user.value?.username;
  const isAllowed = setAssignee.isAllowed();
  const assign = async (wanted: string | null) => {
    setBusy(true);
    try {
      await setAssignee({ params: { alert_id }, body: { assignee: wanted } });
      say(
        wanted === null
          ? translate('The alert is assigned to no one.')
          : translate('The alert is assigned to {name}.', { name: personName(wanted, people) }),
      );
      onChanged();
    } catch (error) {
      say(error instanceof Error ? error.message : String(error), 'bad');
    } finally {
      setBusy(false);
    }
  };
  const canTake = isAllowed && own !== undefined && assignee !== own;
  useShortcuts(canTake ? { take: () => void assign(own) } : {});
  if (!isAllowed) {
    return <p>{assignee === null ? <span class="quiet">{translate('No one')}</span> : personName(assignee, people)}</p>;
  }
  const known = people.filter((one) => mayAnswer(one) || one.username === assignee);
  const isListed = assignee === null || known.some(({ username }) => username === assignee);
  const choices = [
    { value: '', label: translate('No one') },
    ...(isListed || assignee === null ? [] : [{ value: assignee, label: assignee }]),
    ...known.map(({ username, name }) => ({ value: username, label: name || username })),
  ];
  return (
    <div class="assignee">
      {assignee !== null && <Initials name={personName(assignee, people)} />}
      <Select
        label={translate('Assigned to')}
        choices={choices}
        defaultValue={assignee ?? ''}
        disabled={isBusy}
        onChange={({ currentTarget }) => void assign(currentTarget.value || null)}
      />
      {canTake && (
        <Button look="bare" onPress={() => assign(own)}>
          {translate('Assign to me')}
        </Button>
      )}
    </div>
  );
};
