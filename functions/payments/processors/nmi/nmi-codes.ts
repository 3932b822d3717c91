import type { DeclineCode } from '../decline-codes.ts';
import { codeOfKind } from '../kind-codes.ts';
import { refusedFieldIn } from '../payer-forms.ts';
import type { OperationKind, ProcessorResult } from '../ports/processor.ts';

/** The parts of an answer of transact.php that matter. `text` may repeat what was sent: it is never shown. */
export type NmiReply = { response: string; code: string; text: string; transactionId: string; authCode: string };

/** The response codes of NMI's Payment API: https://docs.nmi.com/reference/response-codes; others: `card_declined`. */
const byCode: Readonly<Record<string, DeclineCode>> = {
  '201': 'do_not_honor',
  '202': 'insufficient_funds',
  '203': 'limit_exceeded',
  '204': 'card_not_supported',
  '220': 'incorrect_number',
  '221': 'incorrect_number',
  '222': 'incorrect_number',
  '223': 'expired_card',
  '224': 'expired_card',
  '225': 'incorrect_cvc',
  '240': 'do_not_honor',
  '250': 'lost_card',
  '251': 'lost_card',
  '252': 'stolen_card',
  '253': 'suspected_fraud',
  '264': 'issuer_unavailable',
  '301': 'processor_unavailable',
  '410': 'processor_credentials',
  '411': 'processor_credentials',
  '430': 'already_done',
  '460': 'operation_not_supported',
  '461': 'card_not_supported',
};

/** NMI lost contact with the bank: the result is unknown. */
const leavesOpen: readonly string[] = ['420', '421'];

/** For code 300, "rejected by the gateway", only the text gives the reason, wrong keys included. */
const byText: readonly (readonly [pattern: RegExp, code: DeclineCode])[] = [
  [/^authentication failed|key not found|not authorized|permission|insufficient rights/i, 'processor_credentials'],
  [/rate limit/i, 'processor_unavailable'],
  [/invalid credit card number/i, 'incorrect_number'],
  [/expir/i, 'expired_card'],
  [/cvv|security code/i, 'incorrect_cvc'],
  [/payment type .*currency/i, 'currency_not_supported'],
  [/duplicate transaction/i, 'already_done'],
  [/transaction not found|invalid transaction id/i, 'not_found_at_processor'],
];

const nmiCode = ({ code, text }: NmiReply, kind: OperationKind): DeclineCode => {
  const known = byCode[code];
  if (known) return known;
  const said = byText.find(([pattern]) => pattern.test(text))?.[1];
  if (said) return said;
  return kind === 'pay' && code.startsWith('2') ? 'card_declined' : codeOfKind[kind];
};

/** Why a transaction failed, by the response code that its action has in a report. */
export const codeOfAction = (code: string, kind: OperationKind): DeclineCode =>
  byCode[code] ?? (kind === 'pay' ? 'card_declined' : codeOfKind[kind]);

const nmiDetail = ({ response, code, text }: NmiReply): string => {
  const [refid = ''] = /REFID:\d{1,11}\b/.exec(text) ?? [];
  return ['nmi', ...[response, code].filter((word) => /^\d{1,3}$/.test(word)), refid].filter(Boolean).join(' ');
};

/** The outcome of an answer that approves nothing; `reference`: NMI's reference, null if it kept nothing. */
export const nmiRefusalResult = (
  reply: NmiReply,
  kind: OperationKind,
): Extract<ProcessorResult, { outcome: 'EXC' | 'UNKNOWN' }> => {
  const isAnswer = reply.response === '2' || reply.response === '3';
  if (!isAnswer || leavesOpen.includes(reply.code)) return { outcome: 'UNKNOWN', detail: nmiDetail(reply) };
  const reference = kind === 'pay' && /^[1-9]\d*$/.test(reply.transactionId) ? reply.transactionId : null;
  const code = nmiCode(reply, kind);
  const field = code === 'processor_refused' ? refusedFieldIn(reply.text) : undefined;
  return { outcome: 'EXC', code, reference, ...(field && { field }), detail: nmiDetail(reply) };
};
