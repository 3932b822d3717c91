import { useState } from 'preact/hooks';
import { say } from '../app/messages.tsx';
import { Button } from '../parts/button.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { LongField } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { DownloadIcon } from '../parts/icons.tsx';
import { amountText } from '../parts/money.ts';
import { checklistOf } from './chargeback-checklist.ts';
import {
  acceptChargeback,
  chargebackEvidence,
  downloadPacket,
  type Evidence,
  isOpenForEvidence,
  saveResponse,
} from './chargeback-operations.ts';
import { processorTitle } from './processor-fields.ts';

type ResponseProps = { evidence: Evidence; onChanged: () => void };

/** The letter to the issuer, and what is done with it. */
export const Response = ({ evidence, onChanged }: ResponseProps) => {
  const [isEditing, setEditing] = useState(false);
  const canChange = isOpenForEvidence(evidence.chargeback) && saveResponse.isAllowed();
  const finish = () => {
    setEditing(false);
    onChanged();
  };
  return (
    <aside class="response" aria-label="Response to the issuer">
      <header>
        <h2>Response to the issuer</h2>
        <div class="buttons">
          {canChange && !isEditing && <Button onPress={() => setEditing(true)}>Edit</Button>}
          <Packet evidence={evidence} format="pdf" />
          <Packet evidence={evidence} format="zip" />
        </div>
      </header>
      {isEditing ? (
        <Edit evidence={evidence} onDone={finish} onClose={() => setEditing(false)} />
      ) : (
        <Letter evidence={evidence} />
      )}
      {canChange && !isEditing && <Send {...{ evidence, onChanged }} />}
    </aside>
  );
};

const Letter = ({ evidence: { chargeback, response } }: { evidence: Evidence }) => (
  <>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, which needs the keyboard. */}
    <article class="paper" tabIndex={0} aria-label="Text of the response">
      {response.text}
    </article>
    <p class="quiet small">
      {response.is_edited
        ? `Edited by ${chargeback.response?.by ?? 'a user'}. Facts that change later do not change it.`
        : 'Made from your records. It changes with them until you edit it.'}
    </p>
  </>
);

const Packet = ({ evidence, format }: { evidence: Evidence; format: 'pdf' | 'zip' }) => {
  const save = async () => {
    const leftOut = await downloadPacket(evidence.chargeback.chargeback_id, format);
    if (leftOut.length > 0) say(`Not part of the PDF: ${leftOut.join(', ')}. The ZIP has it.`, 'bad');
  };
  const tell = (error: unknown) => say(error instanceof Error ? error.message : String(error), 'bad');
  return (
    <Button onPress={() => save().catch(tell)}>
      <DownloadIcon />
      {format.toUpperCase()}
    </Button>
  );
};

type EditProps = { evidence: Evidence; onDone: () => void; onClose: () => void };

const Edit = ({ evidence: { chargeback, response }, onDone, onClose }: EditProps) => {
  const params = { id: chargeback.chargeback_id };
  const save = async (text: string | null) => {
    await saveResponse({ params, body: { text } });
    say('The response was saved.');
    onDone();
  };
  return (
    <Form
      send="Save"
      onSend={({ text = '' }) => save(text)}
      actions={
        <>
          <Button onPress={onClose}>Cancel</Button>
          {response.is_edited && <Button onPress={() => save(null)}>Use the generated text</Button>}
        </>
      }
    >
      {({ text: problem }) => (
        <LongField
          {...{ name: 'text', label: 'Text', rows: 18, maxLength: 15_000, required: true, problem }}
          defaultValue={response.text}
        />
      )}
    </Form>
  );
};

const Send = ({ evidence, onChanged }: ResponseProps) => {
  const [asked, setAsked] = useState<'submit' | 'accept'>();
  const { chargeback } = evidence;
  const processor = processorTitle(chargeback.processor);
  const amount = amountText(chargeback.amount, chargeback.currency);
  const isSentHere = chargeback.processor === 'stripe';
  return (
    <div class="send">
      <Weakness evidence={evidence} />
      {!isSentHere && (
        <p class="small">
          {processor} accepts evidence in its own portal. Upload the PDF or the files of the ZIP there.
        </p>
      )}
      <div class="buttons">
        {isSentHere && (
          <Button look="main" onPress={() => setAsked('submit')}>
            Submit to {processor}…
          </Button>
        )}
        {acceptChargeback.isAllowed() && (
          <Button onPress={() => setAsked('accept')}>Accept the loss of {amount}…</Button>
        )}
      </div>
      {asked === 'submit' && <Submit {...{ evidence, onChanged }} onClose={() => setAsked(undefined)} />}
      {asked === 'accept' && <Accept {...{ evidence, onChanged }} onClose={() => setAsked(undefined)} />}
    </div>
  );
};

/** The missing proof that would decide the dispute. */
const Weakness = ({ evidence }: { evidence: Evidence }) => {
  const deciding = checklistOf(evidence.chargeback.reason_code, evidence).filter(({ decides }) => decides);
  if (deciding.some(({ isThere }) => isThere)) return null;
  return (
    <p class="small warned">
      Nothing here decides this dispute yet. Missing: {deciding.map(({ name }) => name).join(', ')}.
    </p>
  );
};

type AskProps = ResponseProps & { onClose: () => void };

const Submit = ({ evidence: { chargeback, files }, onChanged, onClose }: AskProps) => {
  const submit = async () => {
    await chargebackEvidence({ params: { id: chargeback.chargeback_id }, body: { submit: true } });
    say('The evidence was submitted.');
    onClose();
    onChanged();
  };
  return (
    <Confirm title="Submit the evidence?" yes="Submit it" onYes={submit} onClose={onClose}>
      <p>
        {processorTitle(chargeback.processor)} gets the response, the facts and{' '}
        {files.length === 1 ? 'one file' : `${files.length} files`}. This can be done once: afterwards nothing can be
        added or changed.
      </p>
    </Confirm>
  );
};

const Accept = ({ evidence: { chargeback }, onChanged, onClose }: AskProps) => {
  const accept = async () => {
    await acceptChargeback({ params: { id: chargeback.chargeback_id } });
    say('The chargeback is no longer contested.');
    onClose();
    onChanged();
  };
  return (
    <Confirm title="Accept the chargeback?" yes="Accept it" onYes={accept} onClose={onClose}>
      <p>
        {amountText(chargeback.amount, chargeback.currency)} stays with the cardholder, and the chargeback can no longer
        be contested. This cannot be undone.
      </p>
    </Confirm>
  );
};
