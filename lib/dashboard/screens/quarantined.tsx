import { useState } from 'preact/hooks';
import type { listQuarantineOperation as ListQuarantineOperation } from '#disputes/alerts/api/list-quarantine/operation.ts';
import type { quarantineDetailsOperation as DetailsOperation } from '#disputes/alerts/api/quarantine-details/operation.ts';
import type { resubmitQuarantinedOperation as ResubmitOperation } from '#disputes/alerts/api/resubmit-quarantined/operation.ts';
import { go, link } from '../app/address.ts';
import { type RowOf, remote } from '../app/client.ts';
import { say } from '../app/messages.tsx';
import { translate } from '../language/translate.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Field, LongField } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { useLoad } from '../parts/load.ts';
import { Trouble } from '../parts/trouble.tsx';
import { Waiting } from '../parts/waiting.tsx';
import {
  correctMessage,
  isPartOf,
  listFields,
  type Message,
  readMessage,
  splitProblems,
} from './quarantined-message.ts';

export const listQuarantine = remote<typeof ListQuarantineOperation>({ path: '/api/v3/service_alerts/quarantine' });
const details = remote<typeof DetailsOperation>({ path: '/api/v3/service_alerts/quarantine/{id}/details' });
const resubmit = remote<typeof ResubmitOperation>({ path: '/api/v3/service_alerts/quarantine/{id}/resubmit' });
export type Kept = RowOf<typeof ListQuarantineOperation>;

type Settling = { entry: Kept; onDone: () => void };

/** The ways to settle a message that could not be read: correct it, or make no alert of it. */
export const SettleMessage = ({ entry, onDone }: Settling) => {
  const [opened, setOpen] = useState<'correct' | 'dismiss'>();
  const finish = () => {
    setOpen(undefined);
    onDone();
  };
  const props = { entry, onDone: finish };
  return (
    <span class="buttons tight">
      <Button onPress={() => setOpen('correct')}>{translate('Correct …')}</Button>
      <Button onPress={() => setOpen('dismiss')}>{translate('Dismiss …')}</Button>
      {opened === 'correct' && (
        <Dialog title={translate('Correct the message')} isWide onClose={() => setOpen(undefined)}>
          <Correct {...props} />
        </Dialog>
      )}
      {opened === 'dismiss' && (
        <Dialog title={translate('Make no alert of it')} onClose={() => setOpen(undefined)}>
          <Dismiss {...props} />
        </Dialog>
      )}
    </span>
  );
};

const Dismiss = ({ entry: { id }, onDone }: Settling) => {
  const dismiss = async ({ reason = '' }: Record<string, string>) => {
    await resubmit({ params: { id }, body: { dismiss: reason } });
    say(translate('The message is dismissed.'));
    onDone();
  };
  return (
    <>
      <p>{translate('If it is an alert, correct its message instead: no answer is sent for a dismissed one.')}</p>
      <Form onSend={dismiss} send={translate('Dismiss')}>
        {(found) => (
          <Field label={translate('Reason')} name="reason" required maxLength={500} problem={found['dismiss']} />
        )}
      </Form>
    </>
  );
};

const Correct = ({ entry, onDone }: Settling) => {
  const { id } = entry;
  const [isText, setText] = useState(false);
  const { data, error, reload } = useLoad(id, (signal) => details({ params: { id }, signal }));
  if (!data) return error === undefined ? <Waiting rows={4} /> : <Trouble error={error} onRetry={reload} />;
  const send = async (message: Message) => {
    const { alert_id: alertId } = await resubmit({ params: { id }, body: { message } });
    say(translate('The message is accepted.'));
    onDone();
    if (alertId !== null) go(link(`/alerts/${alertId}`));
  };
  const message = isText ? undefined : readMessage(data.text);
  return (
    <>
      <p>{translate('It is then read as if the network had sent it. Card numbers are masked here.')}</p>
      {message ? <ByField {...{ message, send }} problems={entry.problems} /> : <AsText text={data.text} send={send} />}
      {message && (
        <Button look="bare" onPress={() => setText(true)}>
          {translate('Edit the whole text')}
        </Button>
      )}
    </>
  );
};

type Sending = { send: (message: Message) => Promise<void> };

/** The network’s own fields, those with a problem first. */
const ByField = ({ message, problems, send }: Sending & { message: Message; problems: string }) => {
  const wrong = splitProblems(problems);
  const present = new Map(listFields(message));
  const paths = [...new Set([...Object.keys(wrong).filter((path) => !isPartOf(message, path)), ...present.keys()])];
  return (
    <Form onSend={(filled) => send(correctMessage(message, paths, filled))} send={translate('Send it in again')}>
      {(found) => (
        <div class="fields">
          {paths.map((path) => (
            <Field
              key={path}
              {...{ name: path, label: path }}
              defaultValue={String(present.get(path) ?? '')}
              problem={found[path] ?? wrong[path]}
            />
          ))}
        </div>
      )}
    </Form>
  );
};

const AsText = ({ text, send }: Sending & { text: string }) => {
  const submit = async ({ message = '' }: Record<string, string>) => {
    const read = readMessage(message);
    if (!read) throw new Error(translate('It cannot be read yet: check its braces, quotes and commas.'));
    await send(read);
  };
  return (
    <Form onSend={submit} send={translate('Send it in again')}>
      {() => <LongField label={translate('The message')} name="message" rows={12} defaultValue={text} />}
    </Form>
  );
};
