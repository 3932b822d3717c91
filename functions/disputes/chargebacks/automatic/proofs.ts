import { fileKindOfProof, isFactDecisive, type ProofName, proofsOfClaim } from '#core/kernel/card/dispute-proofs.ts';
import { claimOfCode } from '#core/kernel/card/scheme-reasons.ts';
import type { Assembled } from '../evidence/chargeback-evidence.ts';

/** The proofs that exist against a chargeback. Pure. */

type Given = Pick<Assembled, 'payment' | 'order_evidence' | 'chargeback'>;

const listDeliveries = ({ order_evidence: evidence }: Given) => evidence?.order.deliveries ?? [];

/** The facts that prove something; the other proofs are files. */
const facts: Partial<Readonly<Record<ProofName, (given: Given) => boolean>>> = {
  authenticated: ({ payment }) => payment?.three_ds?.['liability_shift'] === true,
  earlier_purchases: ({ order_evidence: evidence }) => evidence?.ce3.qualified === true,
  identity: ({ order_evidence: evidence, payment }) =>
    Boolean(evidence?.order.customer?.email || evidence?.order.device?.ip || payment?.email),
  delivered: (given) => listDeliveries(given).some(({ delivered_at: at }) => Boolean(at)),
  used: (given) =>
    listDeliveries(given).some(({ downloaded_at: at }) => Boolean(at)) ||
    Boolean(given.order_evidence?.order.customer?.last_login_at),
  goods: ({ order_evidence: evidence }) => (evidence?.order.items.length ?? 0) > 0,
  refunded: ({ payment }) => Number(payment?.refunded ?? 0) > 0,
  refund_policy: ({ order_evidence: evidence }) => Boolean(evidence?.order.links?.refund_policy),
};

const fileKinds: Partial<Readonly<Record<ProofName, string>>> = fileKindOfProof;

const hasFile = (name: ProofName, { chargeback }: Given): boolean =>
  chargeback.files.some(({ kind }) => kind === fileKinds[name]);

const hasFact = (name: ProofName, given: Given): boolean => facts[name]?.(given) === true;

const isThere = (name: ProofName, given: Given): boolean => hasFact(name, given) || hasFile(name, given);

const isDecisive = (name: ProofName, given: Given): boolean =>
  hasFile(name, given) || (hasFact(name, given) && isFactDecisive(name, given.chargeback, given.payment));

/** The proofs that exist of those that count for the reason; `decisive`: any of them decides most disputes of it. */
export const listProofs = (given: Given): { names: ProofName[]; decisive: boolean } => {
  const { decides, supports } = proofsOfClaim[claimOfCode(given.chargeback.reason_code) ?? 'other'];
  return {
    names: [...decides, ...supports].filter((name) => isThere(name, given)),
    decisive: decides.some((name) => isDecisive(name, given)),
  };
};
