import { useState } from 'preact/hooks';
import { compose, translate } from '../language/translate.ts';
import { Badge } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { DataTable } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { Trouble } from '../parts/trouble.tsx';
import { actionWords } from './rule-actions.ts';
import type { RuleDto } from './rule-operations.ts';
import { conditionWords } from './rule-sentence.ts';

/** The fields of a rule that its form changes. */
export type RuleState = Pick<RuleDto, 'name' | 'mode' | 'conditions' | 'action'>;

const conflictRows = (mine: RuleState, stored: RuleDto) => {
  const row = (label: string, of: (state: RuleState) => string) => ({ label, mine: of(mine), stored: of(stored) });
  return [
    row(translate('Name'), ({ name }) => name),
    row(translate('When it applies'), ({ conditions }) => conditionWords(conditions)),
    row(translate('Then'), ({ action }) => actionWords(action, stored.about)),
    row(translate('Comment'), ({ action }) => action.comments ?? ''),
    row(translate('Mode'), ({ mode }) => (mode === 'live' ? translate('Live') : translate('On trial'))),
  ].filter((one) => one.mine !== '' || one.stored !== '');
};
type Row = ReturnType<typeof conflictRows>[number];

type ConflictProps = {
  mine: RuleState;
  /** As it is by now. */
  stored: RuleDto;
  onKeep: () => Promise<void>;
  onTake: () => void;
  /** Back to the form, as it is. */
  onClose: () => void;
};

/** Another user saved the rule while it was edited: both states, and the choice between them. */
export const RuleConflict = ({ mine, stored, onKeep, onTake, onClose }: ConflictProps) => {
  const [error, setError] = useState<unknown>();
  return (
    <Dialog title={translate('Another person changed this rule')} onClose={onClose} isWide>
      <p>
        {compose(
          '{name} saved version {version} on {time}, after you began. Saving yours makes a new version; theirs stays among the versions.',
          { name: stored.updated_by, version: stored.version, time: <Time at={stored.updated_at} exact /> },
        )}
        {!stored.enabled && ` ${translate('The rule is off, and stays off.')}`}
      </p>
      <DataTable<Row>
        caption={translate('Your rule, and the one that is stored')}
        rows={conflictRows(mine, stored)}
        keyOf={({ label }) => label}
        columns={[
          {
            label: translate('What'),
            isMain: true,
            cell: (row) => (
              <span>
                {row.label} {row.mine !== row.stored && <Badge state="DIFFERS" tone="warn" />}
              </span>
            ),
          },
          { label: translate('Yours'), cell: (row) => row.mine || '–' },
          { label: translate('Stored'), cell: (row) => row.stored || '–' },
        ]}
      />
      <Trouble error={error} />
      <div class="buttons">
        <Button look="main" onPress={() => onKeep().catch(setError)}>
          {translate('Save mine')}
        </Button>
        <Button onPress={onTake}>{translate('Take theirs')}</Button>
        <Button look="bare" onPress={onClose}>
          {translate('Go on editing')}
        </Button>
      </div>
    </Dialog>
  );
};
