import { nowIso } from '#core/kernel/clock.ts';
import { describeError, log } from '#core/platform/log/log.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import type { Caller } from '#core/platform/operation/operation.ts';
import { changedMeanwhile, retryOnConflict } from '#core/platform/table/conflict-store.ts';
import { transact } from '#core/platform/table/table.ts';
import { sendAll } from '#core/platform/work/queue-store.ts';
import type { DisputeDone, DisputeEvidence } from '#payments/processors/ports/dispute.ts';
import { beginSubmission, type Chargeback, endSubmission, toPlace, whyTooLate, withEvidence } from '../chargeback.ts';
import { chargebackForCaller } from '../chargeback-access-store.ts';
import { chargebackDue } from '../chargeback-due.ts';
import { chargebackWrite, toChargebackDto } from '../chargeback-row.ts';
import { filesOfEvidence } from '../files/file-content-store.ts';
import { whyTooManyPages } from '../files/network-limits.ts';
import { loadDisputePort } from '../look/port-flow.ts';
import { assembleEvidence } from './assembled-evidence-store.ts';
import { type Assembled, disputeEvidenceOf } from './chargeback-evidence.ts';
import { letterSources } from './letter-sources-store.ts';

type Submitting = {
  /** The caller agrees to the processor's fee for it. */
  isFeeAcknowledged?: boolean;
  /** Adds to the chargeback that is recorded once the processor has taken the evidence. */
  also?: (chargeback: Chargeback) => Chargeback;
};

/**
 * Submits the evidence to the processor. Of several calls at once, one submits, and the others throw changed_meanwhile. After a crash or a
 * lost reply, the next call asks the processor first whether it has the evidence. Throws chargeback_not_found, chargeback_over,
 * evidence_refused where the processor takes it only in its portal, changed_meanwhile.
 */
export const submitEvidence = async (
  chargeback: Chargeback,
  caller: Caller,
  { isFeeAcknowledged = false, also = (one) => one }: Submitting = {},
): Promise<Submission> => {
  const { id } = chargeback;
  const late = whyTooLate(chargeback, nowIso());
  if (late !== undefined) throw new Refusal('chargeback_over', late);
  const port = await loadDisputePort(toPlace(chargeback));
  if (!port?.submit) {
    throw new Refusal(
      'evidence_refused',
      `${chargeback.processor} takes it only in its portal: download it as PDF or ZIP.`,
    );
  }
  const { submit } = port;
  const { done, evidence } = await alone(id, caller, async (held) => {
    const assembled = await assembleEvidence(held, caller);
    const told = await toProcessorForm(held, assembled);
    return { done: await submit(held.reference, { ...told, isFeeAcknowledged }), evidence: assembled };
  });
  if (done !== 'done') return { done, evidence };
  const after = await retryOnConflict(() => saveWith(id, caller, also), { onExhausted: changedMeanwhile });
  await sendAll([chargebackDue.message({ chargebackId: id })]);
  return { done, evidence: { ...evidence, chargeback: toChargebackDto(after) } };
};

/**
 * The same for a person, unless it is already done. `isFeeAcknowledged`: the caller agrees to the processor's fee for it. Throws
 * chargeback_not_found, chargeback_over, evidence_refused, changed_meanwhile.
 */
export const submitForCaller = async (id: string, caller: Caller, isFeeAcknowledged = false): Promise<Assembled> => {
  const chargeback = await chargebackForCaller(id, caller);
  if (chargeback.evidence) return assembleEvidence(chargeback, caller);
  const { done, evidence } = await submitEvidence(chargeback, caller, { isFeeAcknowledged });
  if (done === 'done') return evidence;
  if ('refused' in done)
    throw new Refusal('evidence_refused', done.isOurs ? done.refused : `Its processor says: ${done.refused}`);
  throw new Refusal('evidence_refused', `${done.unknown}. Ask again: it is submitted once.`);
};

const toProcessorForm = async (chargeback: Chargeback, evidence: Assembled): Promise<DisputeEvidence> => ({
  ...disputeEvidenceOf(evidence, await filesOfEvidence(chargeback)),
  renderLetter: makeLetterRenderer(chargeback, evidence),
});

/** Renders letters as long as their pages, and those of the files apart from them, are within the limit of the card network. */
const makeLetterRenderer = ({ network, files }: Chargeback, evidence: Assembled): DisputeEvidence['renderLetter'] => {
  let pages = 0;
  return async (behind, apart = []) => {
    const { makeEvidencePdf } = await import('./evidence-pdf.ts');
    const letter = await makeEvidencePdf(evidence, behind, await letterSources(evidence));
    const names = letter.leftOut.join(', ');
    if (names) return { refused: `${names} cannot be made part of a PDF: upload it in another form.`, isOurs: true };
    pages += letter.pages;
    for (const { kind } of apart) pages += files.find((one) => one.kind === kind)?.pages ?? 0;
    const tooMany = whyTooManyPages(network, pages);
    return tooMany === undefined ? letter : { refused: `${tooMany}.`, isOurs: true };
  };
};

type Submission = { done: DisputeDone; evidence: Assembled };

/**
 * Submits while no other call does. `held`: the chargeback as it is then; its files and its response cannot be changed until the end.
 * The lease ends with a failure, else after a minute; after a success the recorded evidence keeps others from it.
 */
const alone = async (
  id: string,
  caller: Caller,
  submit: (held: Chargeback) => Promise<Submission>,
): Promise<Submission> => {
  const change = (next: (before: Chargeback) => Chargeback | undefined) =>
    retryOnConflict(
      async () => {
        const before = await chargebackForCaller(id, caller);
        const after = before.evidence ? undefined : next(before);
        if (after === undefined) throw new Refusal('changed_meanwhile', 'Its evidence is being submitted, or was.');
        await transact({ chargeback: chargebackWrite(after) });
        return after;
      },
      { onExhausted: changedMeanwhile },
    );
  const held = await change((before) => {
    // As it is now: it may have been accepted since the caller read it.
    const late = whyTooLate(before, nowIso());
    if (late !== undefined) throw new Refusal('chargeback_over', late);
    return beginSubmission(before, nowIso());
  });
  let submission: Submission | undefined;
  try {
    submission = await submit(held);
    return submission;
  } finally {
    if (submission?.done !== 'done')
      await change(endSubmission).catch((error: unknown) =>
        log('warn', 'submission_not_ended', { chargebackId: id, error: describeError(error) }),
      );
  }
};

const saveWith = async (
  id: string,
  caller: Caller,
  also: (chargeback: Chargeback) => Chargeback,
): Promise<Chargeback> => {
  const before = await chargebackForCaller(id, caller);
  const submitted = withEvidence(before, caller.subject, nowIso());
  if (!submitted) return before;
  const after = { ...also(submitted), version: submitted.version };
  await transact({ chargeback: chargebackWrite(after) });
  return after;
};
