import type { DisputesOf } from '../ports/account.ts';
import { type DisputeAnswer, type DisputePort, type DisputesAnswer, unreadableDispute } from '../ports/dispute.ts';
import { disputeOfBraintree } from './braintree-disputes.ts';
import {
  acceptAtBraintree,
  type BraintreeMemory,
  braintreeMemory,
  submitToBraintree,
} from './braintree-evidence-client.ts';
import { askBraintree, type BraintreeKeys, globalId, searchBraintree } from './braintree-exchange-client.ts';

/** Disputes of a Braintree account. */
export const braintreeDisputes = (credentials: BraintreeKeys, memory: BraintreeMemory): DisputePort => ({
  look: (reference) => look(credentials, reference),
  since: (from) => since(credentials, from),
  submit: (reference, evidence) => submitToBraintree({ credentials, reference, memory }, evidence),
  accept: (reference) => acceptAtBraintree({ credentials, reference }),
});

const look = async (credentials: BraintreeKeys, reference: string): Promise<DisputeAnswer> => {
  const global = await globalId(credentials, reference, 'DISPUTE');
  if ('outcome' in global) return absentOr(global);
  const answer = await askBraintree(credentials, { document: 'dispute', variables: { id: global.id }, kind: 'pay' });
  if ('outcome' in answer) return absentOr(answer);
  const found = disputeOfBraintree(answer.data['node']);
  return found ? { found } : unreadableDispute('braintree');
};

const absentOr = (failure: { outcome: string; code?: string; detail?: string }): DisputeAnswer =>
  failure.code === 'not_found_at_processor' ? { found: null } : { unknown: failure.detail ?? 'braintree' };

const since = async (credentials: BraintreeKeys, from: string): Promise<DisputesAnswer> => {
  const input = { receivedDate: { greaterThanOrEqualTo: from.slice(0, 'YYYY-MM-DD'.length) } };
  const found = await searchBraintree(credentials, { document: 'disputes', input });
  if ('unasked' in found) return { unknown: found.unasked };
  return { found: found.nodes.flatMap((node) => disputeOfBraintree(node) ?? []) };
};

export const braintreeDisputesOf: DisputesOf = ({ open, scope }) =>
  braintreeDisputes(open('braintree'), braintreeMemory(scope));
