import { useState } from 'preact/hooks';
import { say } from '../app/messages.tsx';
import { noteAlert } from '../app/operations.ts';
import { useShortcuts } from '../app/shortcuts.ts';
import { translate } from '../language/translate.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Form } from '../parts/form.tsx';
import { NoteField } from './note-field.tsx';

type NoteProps = { alertId: number; mid: number | undefined; onNoted: () => void };

/** A note for colleagues, which answers nothing: possible whatever the alert's status. */
export const NoteAlert = ({ alertId, mid, onNoted }: NoteProps) => {
  // Names this attempt: sent again after a lost answer, the note is kept once.
  const [attempt, setAttempt] = useState<string>();
  const open = () => setAttempt(crypto.randomUUID());
  useShortcuts(noteAlert.isAllowed() ? { note: open } : {});
  if (!noteAlert.isAllowed()) return null;
  const send = async ({ note = '' }: Record<string, string>) => {
    await noteAlert({ params: { alert_id: alertId }, body: { note }, ...(attempt && { idempotencyKey: attempt }) });
    say(translate('The note is in the history.'));
    setAttempt(undefined);
    onNoted();
  };
  return (
    <>
      <Button look="bare" onPress={open}>
        {translate('Note')}
      </Button>
      {attempt && (
        <Dialog title={translate('Note about alert {alertId}', { alertId })} onClose={() => setAttempt(undefined)}>
          <Form onSend={send} send={translate('Save the note')}>
            {(problems) => <NoteField mid={mid} problem={problems['note']} />}
          </Form>
        </Dialog>
      )}
    </>
  );
};
