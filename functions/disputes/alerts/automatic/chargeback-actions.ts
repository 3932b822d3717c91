/**
 * The floor of evidence below which a rule submits nothing: proof that decides disputes of the reason, any proof, or none; and the actions
 * of rules about chargebacks. `review`: left to people, and no later rule is applied.
 */
export const evidenceFloors = ['decisive', 'any', 'none'] as const;
export type EvidenceFloor = (typeof evidenceFloors)[number];

export const chargebackActionTypes = ['submit', 'accept', 'assign', 'review'] as const;

export type ChargebackAction =
  | { type: 'submit'; floor: EvidenceFloor; fee_acknowledged?: true }
  | { type: 'accept' | 'review' }
  | { type: 'assign'; assignee: string };

type SentAction = {
  type: ChargebackAction['type'];
  floor?: EvidenceFloor | undefined;
  fee_acknowledged?: boolean | undefined;
  assignee?: string | undefined;
};

/** The action as stored, or what is wrong with it, in words that follow the field's name. */
export const readChargebackAction = (sent: SentAction): ChargebackAction | string => {
  const { type, floor = 'decisive', fee_acknowledged: fee, assignee } = sent;
  if (type !== 'submit' && (sent.floor !== undefined || fee !== undefined))
    return `action: ${type} takes neither floor nor fee_acknowledged`;
  if (type !== 'assign' && assignee !== undefined) return `action.assignee: ${type} does not take it`;
  if (type === 'submit') return { type, floor, ...(fee && { fee_acknowledged: true }) };
  if (type !== 'assign') return { type };
  return assignee === undefined ? 'action.assignee: must name a user' : { type, assignee };
};
