import * as v from 'valibot';

/** The merchant's response to a dispute, as the details of the dispute show it. Pure. */

const text = v.nullish(v.string(), '');

const Details = v.object({
  status: v.string(),
  dispute_life_cycle_stage: v.string(),
  dispute_outcome: v.nullish(v.object({ outcome_code: text })),
  evidences: v.nullish(
    v.array(v.object({ evidence_type: text, source: text, notes: text, dispute_life_cycle_stage: text })),
    [],
  ),
  links: v.nullish(v.array(v.object({ href: text })), []),
});

export type PayPalResponse = {
  isAccepted: boolean;
  /** What PayPal allows now, as its addresses end: `provide-evidence`. */
  actions: readonly string[];
  /** The types of evidence that PayPal asks the merchant for. */
  requested: readonly string[];
  /** The notes of evidence that the merchant submitted in the current stage. */
  notes: readonly string[];
};

export const responseOfPayPal = (body: unknown): PayPalResponse | undefined => {
  const { success, output } = v.safeParse(Details, body);
  if (!success) return undefined;
  const { status, dispute_life_cycle_stage: stage } = output;
  const outcome = output.dispute_outcome?.outcome_code ?? '';
  const evidences = (output.evidences ?? []).filter(
    (one) => (one.dispute_life_cycle_stage ?? '') === '' || one.dispute_life_cycle_stage === stage,
  );
  const from = (source: string) => evidences.filter((one) => one.source === source);
  return {
    isAccepted: status === 'RESOLVED' && ['ACCEPTED', 'RESOLVED_BUYER_FAVOUR'].includes(outcome),
    actions: (output.links ?? []).map(({ href }) => (href ?? '').split('/').at(-1) ?? ''),
    requested: from('REQUESTED_FROM_SELLER').map((one) => one.evidence_type ?? ''),
    notes: from('SUBMITTED_BY_SELLER').map((one) => one.notes ?? ''),
  };
};

const plainNote = (note: string): string => note.replaceAll(/\s+/g, ' ').trim();

/**
 * Checks whether the merchant's evidence was submitted in the current stage. While PayPal still accepts evidence, only evidence with
 * this note counts: PayPal may have asked for more than a person submitted.
 */
export const isAnswered = ({ actions, notes }: PayPalResponse, note: string): boolean =>
  notes.some((one) => plainNote(one) === plainNote(note)) ||
  (notes.length > 0 && !actions.includes('provide-evidence'));
