import { useState } from 'preact/hooks';
import { say } from '../app/messages.tsx';
import { listText, translate, translateCount } from '../language/translate.ts';
import { Button } from '../parts/button.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { Check, LongField } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { DownloadIcon } from '../parts/icons.tsx';
import { amountText } from '../parts/money.ts';
import { PaneFoot } from '../parts/pane.tsx';
import { listProofs } from './chargeback-checklist.ts';
import {
  acceptChargeback,
  canSubmitHere,
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
    <aside class="response" aria-label={translate('Response to the issuer')}>
      <header>
        <h2>{translate('Response to the issuer')}</h2>
        {canChange && !isEditing && <Button onPress={() => setEditing(true)}>{translate('Edit')}</Button>}
      </header>
      {isEditing ? (
        <Edit evidence={evidence} onDone={finish} onClose={() => setEditing(false)} />
      ) : (
        <Letter evidence={evidence} />
      )}
      {canChange && <Weakness evidence={evidence} />}
    </aside>
  );
};

const Letter = ({ evidence: { chargeback, response, sender, files } }: { evidence: Evidence }) => (
  <>
    <Unshown characters={response.unshown} />
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, which needs the keyboard. */}
    <article class="paper" lang="en" dir="ltr" tabIndex={0} aria-label={translate('Text of the response')}>
      <header>
        <strong>{sender.name}</strong>
        {sender.lines.map((line) => (
          <span key={line}>{line}</span>
        ))}
      </header>
      {response.text}
    </article>
    <p class="quiet small">
      {response.is_edited
        ? translate('Edited by {by}. It is no longer updated from your records.', {
            by: chargeback.response?.by ?? translate('a user'),
          })
        : translate('Generated from your records, and updated with them until you edit it.')}
    </p>
    {files.length > 0 && (
      <p class="quiet small">
        {translate('Files that go with it: {files}.', { files: listText(files.map(({ name }) => name)) })}
      </p>
    )}
  </>
);

/** Said before the letter is downloaded or submitted: the bank would read a question mark. */
const Unshown = ({ characters }: { characters: string[] }) =>
  characters.length === 0 ? null : (
    <p class="small warned">
      {translate(
        'The letter cannot show {characters}. The bank sees a question mark in place of each: choose other words.',
        {
          characters: listText(characters.map((one) => `“${one}”`)),
        },
      )}
    </p>
  );

type PacketProps = { evidence: Evidence; format: 'pdf' | 'zip'; label: string; isMain?: boolean };

const Packet = ({ evidence, format, label, isMain = false }: PacketProps) => {
  const save = async () => {
    const leftOut = await downloadPacket(evidence.chargeback.chargeback_id, format);
    if (leftOut.length > 0)
      say(translate('The PDF does not include {leftOut}. The ZIP file does.', { leftOut: leftOut.join(', ') }), 'bad');
  };
  const tell = (error: unknown) => say(error instanceof Error ? error.message : String(error), 'bad');
  return (
    <Button look={isMain ? 'main' : 'plain'} onPress={() => save().catch(tell)}>
      <DownloadIcon />
      {label}
    </Button>
  );
};

type EditProps = { evidence: Evidence; onDone: () => void; onClose: () => void };

const Edit = ({ evidence: { chargeback, response }, onDone, onClose }: EditProps) => {
  const params = { id: chargeback.chargeback_id };
  const save = async (text: string | null) => {
    await saveResponse({ params, body: { text } });
    say(translate('The response was saved.'));
    onDone();
  };
  return (
    <Form
      send={translate('Save')}
      onSend={({ text = '' }) => save(text)}
      actions={
        <>
          <Button onPress={onClose}>{translate('Cancel')}</Button>
          {response.is_edited && <Button onPress={() => save(null)}>{translate('Use the generated text')}</Button>}
        </>
      }
    >
      {({ text: problem }) => (
        <LongField
          {...{ name: 'text', label: translate('Text'), rows: 18, maxLength: 15_000, required: true, problem }}
          defaultValue={response.text}
        />
      )}
    </Form>
  );
};

/** The next step: the answer goes to the issuer from here, or through the processor's portal. */
export const Send = ({ evidence, onChanged }: ResponseProps) => {
  const [asked, setAsked] = useState<'submit' | 'accept'>();
  const { chargeback } = evidence;
  const processor = processorTitle(chargeback.processor);
  const isOpen = isOpenForEvidence(chargeback);
  const isSentHere = canSubmitHere(chargeback);
  const mayAnswer = isOpen && saveResponse.isAllowed();
  return (
    <PaneFoot {...(isOpen && { words: nextWords(isSentHere, processor) })}>
      {mayAnswer && acceptChargeback.isAllowed() && (
        <Button look="bare" onPress={() => setAsked('accept')}>
          {translate('Accept the loss of {amount}…', { amount: amountText(chargeback.amount, chargeback.currency) })}
        </Button>
      )}
      <Packet evidence={evidence} format="zip" label="ZIP" />
      {isOpen && !isSentHere ? (
        <Packet evidence={evidence} format="pdf" label={translate('PDF for the portal')} isMain />
      ) : (
        <Packet evidence={evidence} format="pdf" label="PDF" />
      )}
      {mayAnswer && isSentHere && (
        <Button look="main" onPress={() => setAsked('submit')}>
          {translate('Submit to {processor}…', { processor })}
        </Button>
      )}
      {asked && <ConfirmLast {...{ asked, evidence, onChanged }} onClose={() => setAsked(undefined)} />}
    </PaneFoot>
  );
};

const nextWords = (isSentHere: boolean, processor: string): string => {
  if (!isSentHere)
    return translate(
      '{processor} accepts evidence in its own portal. Upload the PDF, or the files in the ZIP, there.',
      {
        processor,
      },
    );
  return saveResponse.isAllowed()
    ? translate('{processor} receives the answer from here, once.', { processor })
    : translate('An analyst or a manager submits the answer.');
};

type ConfirmLastProps = ResponseProps & { asked: 'submit' | 'accept'; onClose: () => void };

/** Asks before the response is submitted or the chargeback accepted, neither of which can be undone. */
const ConfirmLast = ({ asked, evidence, onChanged, onClose }: ConfirmLastProps) => {
  const { chargeback, files, response } = evidence;
  const params = { id: chargeback.chargeback_id };
  const finish = (words: string) => {
    say(words);
    onClose();
    onChanged();
  };
  const [isFeeAcknowledged, setFeeAcknowledged] = useState(false);
  const submit = async () => {
    await chargebackEvidence({ params, body: { submit: true, fee_acknowledged: isFeeAcknowledged } });
    finish(translate('The evidence was submitted.'));
  };
  const accept = async () => {
    await acceptChargeback({ params });
    finish(translate('The chargeback is no longer contested.'));
  };
  return asked === 'submit' ? (
    <Confirm
      title={translate('Submit the evidence?')}
      yes={translate('Submit it')}
      look="main"
      {...{ onYes: submit, onClose }}
    >
      <p>
        {translateCount(
          files.length,
          '{processor} receives the response, the facts and one file. You can submit only once: afterwards nothing can be added or changed.',
          '{processor} receives the response, the facts and {count} files. You can submit only once: afterwards nothing can be added or changed.',
          { processor: processorTitle(chargeback.processor) },
        )}
      </p>
      <Unshown characters={response.unshown} />
      {chargeback.contest_fee && (
        <Check
          label={translate('I agree to the fee of {amount}, which is returned only if the dispute is won', {
            amount: amountText(chargeback.contest_fee.amount, chargeback.contest_fee.currency),
          })}
          checked={isFeeAcknowledged}
          onChange={(event) => setFeeAcknowledged(event.currentTarget.checked)}
        />
      )}
    </Confirm>
  ) : (
    <Confirm title={translate('Accept the chargeback?')} yes={translate('Accept it')} {...{ onYes: accept, onClose }}>
      <p>
        {translate(
          '{amount} stays with the cardholder, and the chargeback can no longer be contested. This cannot be undone.',
          { amount: amountText(chargeback.amount, chargeback.currency) },
        )}
      </p>
    </Confirm>
  );
};

/** The missing proof that would decide the dispute. */
const Weakness = ({ evidence }: { evidence: Evidence }) => {
  const deciding = listProofs(evidence.chargeback.reason_code, evidence).filter(({ decides }) => decides);
  if (deciding.some(({ isDecisive }) => isDecisive)) return null;
  return (
    <p class="small warned">
      {translate('Decisive evidence is missing: {names}.', {
        names: listText(
          deciding.map(({ name }) => `“${name}”`),
          'disjunction',
        ),
      })}
    </p>
  );
};
