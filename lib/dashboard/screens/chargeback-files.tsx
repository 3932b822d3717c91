import { useState } from 'preact/hooks';
import { say } from '../app/messages.tsx';
import { translate } from '../language/translate.ts';
import { Badge } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Field, Select } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { decimalText } from '../parts/words.ts';
import { listProofs, type Proof } from './chargeback-checklist.ts';
import { type FileKind, kindWords } from './chargeback-kinds.ts';
import {
  acceptedTypes,
  type Evidence,
  isOpenForEvidence,
  maxFileBytes,
  removeFile,
  uploadFile,
} from './chargeback-operations.ts';

type ListProps = { evidence: Evidence; onChanged: () => void };

const megabytes = (bytes: number): string => decimalText(Math.max(0.1, bytes / 1_000_000).toFixed(1));

/** The evidence of the merchant: known facts, files, and what is missing. */
export const EvidenceList = ({ evidence, onChanged }: ListProps) => {
  const [kind, setKind] = useState<FileKind>();
  const { chargeback, files } = evidence;
  const proofs = listProofs(chargeback.reason_code, evidence);
  const ready = proofs.filter(({ isThere }) => isThere).length;
  const canChange = isOpenForEvidence(chargeback) && removeFile.isAllowed();
  return (
    <section class="fact">
      <header>
        <h2>{translate('Evidence, {ready} of {all} ready', { ready, all: proofs.length })}</h2>
        {canChange && <Button onPress={() => setKind('other')}>{translate('Add a file')}</Button>}
      </header>
      <table class="plain proofs">
        <caption class="unseen">{translate('Evidence for this reason')}</caption>
        <thead class="unseen">
          <tr>
            <th scope="col">{translate('What it proves')}</th>
            <th scope="col">{translate('Action')}</th>
          </tr>
        </thead>
        <tbody>
          {proofs.map((proof) => (
            <ProofRow key={proof.name} proof={proof} {...(canChange && { onAdd: setKind })} />
          ))}
        </tbody>
      </table>
      {files.length > 0 && <Files {...{ evidence, onChanged, canChange }} />}
      {kind && (
        <AddFile
          {...{ kind, evidence }}
          onDone={() => {
            setKind(undefined);
            onChanged();
          }}
          onClose={() => setKind(undefined)}
        />
      )}
    </section>
  );
};

const ProofRow = ({ proof, onAdd }: { proof: Proof; onAdd?: (kind: FileKind) => void }) => {
  const { name, detail, isThere, decides, isDecisive, kind } = proof;
  return (
    <tr class={isThere ? 'there' : ''}>
      <th scope="row">
        <span class="mark" aria-hidden="true">
          {isThere ? '✓' : '○'}
        </span>
        {name} {decides && <Badge state="decides" tone={isDecisive ? 'good' : 'warn'} label={translate('Decisive')} />}
        <span class="unseen">{`, ${isThere ? translate('included') : translate('missing')}`}</span>
        <span class="beneath">{detail}</span>
      </th>
      <td>
        {(decides ? !isDecisive : !isThere) && kind && onAdd && (
          <Button aria-label={translate('Upload: {name}', { name })} onPress={() => onAdd(kind)}>
            {translate('Upload')}
          </Button>
        )}
      </td>
    </tr>
  );
};

const Files = ({ evidence: { chargeback, files }, onChanged, canChange }: ListProps & { canChange: boolean }) => {
  const remove = async (fileId: string) => {
    await removeFile({ params: { id: chargeback.chargeback_id }, body: { file_id: fileId } });
    say(translate('The file was removed.'));
    onChanged();
  };
  const tell = (error: unknown) => say(error instanceof Error ? error.message : String(error), 'bad');
  return (
    <>
      <h3>
        {translate('Files, {size} of {most} MB', {
          size: megabytes(files.reduce((sum, { bytes }) => sum + bytes, 0)),
          most: megabytes(maxFileBytes),
        })}
      </h3>
      <ul class="plain-list files">
        {files.map(({ file_id, name, kind, url, by }) => (
          <li key={file_id}>
            <span>
              <a href={url} download={name}>
                {name}
              </a>
              <span class="beneath">{translate('{kind}, added by {by}', { kind: kindWords[kind], by })}</span>
            </span>
            {canChange && (
              <Button
                look="bare"
                aria-label={translate('Remove {name}', { name })}
                onPress={() => remove(file_id).catch(tell)}
              >
                {translate('Remove')}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </>
  );
};

type AddProps = { kind: FileKind; evidence: Evidence; onDone: () => void; onClose: () => void };

const AddFile = ({ kind, evidence: { chargeback, files }, onDone, onClose }: AddProps) => {
  const [chosen, setChosen] = useState(kind);
  const replaced = files.find((one) => one.kind === chosen);
  const send = async (fields: Record<string, string>, form: HTMLFormElement) => {
    const input = form.elements.namedItem('file');
    const file = input instanceof HTMLInputElement ? input.files?.[0] : undefined;
    if (!file) return;
    await uploadFile(chargeback.chargeback_id, fields['kind'] as FileKind, file);
    say(translate('{name} was added.', { name: file.name }));
    onDone();
  };
  return (
    <Dialog title={translate('Add a file')} onClose={onClose}>
      <Form send={translate('Add the file')} onSend={send}>
        {() => (
          <>
            <Field
              name="file"
              type="file"
              label={translate('File')}
              accept={acceptedTypes}
              required
              hint={translate('PDF, PNG or JPEG. All files together can have up to 4.5 MB.')}
            />
            <Select
              name="kind"
              label={translate('What it proves')}
              defaultValue={kind}
              choices={Object.entries(kindWords).map(([value, label]) => ({ value, label }))}
              onChange={({ currentTarget }) => setChosen(currentTarget.value as FileKind)}
              {...(replaced && { hint: translate('Replaces {name}.', { name: replaced.name }) })}
            />
            <p class="quiet small">{translate('Redact card numbers before you upload the file.')}</p>
          </>
        )}
      </Form>
    </Dialog>
  );
};
