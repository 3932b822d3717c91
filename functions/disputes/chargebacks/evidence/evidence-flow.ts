import { nowIso } from '#core/kernel/clock.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import type { Caller } from '#core/platform/operation/operation.ts';
import { changedMeanwhile, retryOnConflict } from '#core/platform/table/conflict-store.ts';
import { transact } from '#core/platform/table/table.ts';
import { sendAll } from '#core/platform/work/queue-store.ts';
import { type Chargeback, placeOf, whyTooLate, withEvidence } from '../chargeback.ts';
import { chargebackForCaller } from '../chargeback-access-store.ts';
import { chargebackDue } from '../chargeback-due.ts';
import { chargebackWrite, toChargebackDto } from '../chargeback-row.ts';
import { filesOfEvidence } from '../files/file-content-store.ts';
import { loadDisputePort } from '../look/port-flow.ts';
import { assembleEvidence } from './assembled-evidence-store.ts';
import { type Assembled, disputeEvidenceOf } from './chargeback-evidence.ts';
import { letterSources } from './letter-sources-store.ts';

/**
 * Submits the evidence to the processor, unless that is already done. After a crash or a lost reply it is submitted again: a
 * processor takes evidence only once. Throws chargeback_not_found, chargeback_over, evidence_refused,
 * changed_meanwhile.
 */
export const submitForCaller = async (id: string, caller: Caller): Promise<Assembled> => {
  const chargeback = await chargebackForCaller(id, caller);
  const evidence = await assembleEvidence(chargeback, caller);
  if (chargeback.evidence) return evidence;
  const late = whyTooLate(chargeback, nowIso());
  if (late !== undefined) throw new Refusal('chargeback_over', late);
  const port = await loadDisputePort(placeOf(chargeback));
  if (!port?.submit) {
    throw new Refusal(
      'evidence_refused',
      `${chargeback.processor} takes it only in its portal: download it as PDF or ZIP.`,
    );
  }
  const files = await filesOfEvidence(chargeback);
  const done = await port.submit(chargeback.reference, {
    ...disputeEvidenceOf(evidence, files),
    renderLetter: async (behind) =>
      (await import('./evidence-pdf.ts')).makeEvidencePdf(evidence, behind, letterSources()),
  });
  if (done !== 'done' && 'refused' in done)
    throw new Refusal('evidence_refused', `Its processor says: ${done.refused}`);
  if (done !== 'done') {
    throw new Refusal('evidence_refused', `${done.unknown}. Ask again: it is submitted once.`);
  }
  const after = await retryOnConflict(() => record(id, caller), { onExhausted: changedMeanwhile });
  await sendAll([chargebackDue.message({ chargebackId: id })]);
  return { ...evidence, chargeback: toChargebackDto(after) };
};

const record = async (id: string, caller: Caller): Promise<Chargeback> => {
  const before = await chargebackForCaller(id, caller);
  const after = withEvidence(before, caller.subject, nowIso());
  if (!after) return before;
  await transact({ chargeback: chargebackWrite(after) });
  return after;
};
