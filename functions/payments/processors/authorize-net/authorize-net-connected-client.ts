import { iso, milliseconds } from '#core/kernel/clock.ts';
import { formatAmount } from '#core/kernel/money/money.ts';
import type { ConnectedProcessorOf } from '../ports/account.ts';
import { pickCandidate } from '../ports/charge-state.ts';
import {
  type ChargeCandidate,
  type ChargeRefundRequest,
  type ChargeSearchResult,
  type Check,
  type ConnectedProcessor,
  type ConnectionTrouble,
  chargeSearchSpan,
  type DisputedCharge,
  isTrouble,
  refusedOutcome,
  unknownOutcome,
} from '../ports/connected-processor.ts';
import { checkRights, type JsonAnswer, outcomeOfAnswer } from '../ports/json-exchange-client.ts';
import type { ProcessorResult } from '../ports/processor.ts';
import { type LookedUp, refundAfterLooking, stateAfterLooking } from '../ports/refund-after-looking.ts';
import { type AskAuthorizeNet, type AuthorizeNetKeys, askAuthorizeNet } from './authorize-net-exchange-client.ts';
import { listAuthorizeNetCharges } from './authorize-net-list-client.ts';
import {
  readAuthorizeNetCurrency,
  readAuthorizeNetTransaction,
  readAuthorizeNetTransactions,
  scanAuthorizeNet,
} from './authorize-net-reports-client.ts';
import {
  type AuthorizeNetDetails,
  type AuthorizeNetSummary,
  authorizeNetCandidateOf,
  authorizeNetResultOf,
  invoiceNumberOf,
  mayBeCharge,
  mayBeRefund,
  readAuthorizeNetAccount,
  resultOfAuthorizeNetReply,
} from './authorize-net-transactions.ts';

/** A merchant's own account at Authorize.Net. It knows no idempotency keys: before a refund is sent, it is searched for by the mark that Forewarn gives it. */
export const connectAuthorizeNet = (keys: AuthorizeNetKeys): ConnectedProcessor => {
  const ask = askAuthorizeNet(keys);
  return {
    kind: 'authorize_net',
    find: (disputed) => findAuthNet(ask, disputed),
    look: async (reference) => pickCandidate(await readCharge(ask, reference)),
    list: (span, cursor) => listAuthorizeNetCharges(ask, span, cursor),
    refund: (request) =>
      refundAfterLooking('authorize.net', request, {
        look: () => lookUp(ask, request),
        send: (candidate) => send(ask, request, candidate),
      }),
    refundState: (request) => stateAfterLooking('authorize.net', request, () => lookUp(ask, request)),
    cancelSubscription: (reference) => cancelSubscription(ask, reference),
    check: () => checkKeys(ask),
  };
};

const refundsTo = (scanned: readonly AuthorizeNetSummary[], last4: string): readonly AuthorizeNetSummary[] =>
  scanned.filter((one) => mayBeRefund(one) && one.accountNumber?.endsWith(last4));

/** The time after its day within which a charge must be settled to be found. */
const settlementMilliseconds = 4 * milliseconds.day;
/** The number of charges that one search reads. */
const maxFound = 40;

const findAuthNet = async (ask: AskAuthorizeNet, disputed: DisputedCharge): Promise<ChargeSearchResult> => {
  const { last4, money } = disputed;
  const { from, to } = chargeSearchSpan(disputed);
  const [account, scanned] = await Promise.all([
    readAuthorizeNetCurrency(ask),
    scanAuthorizeNet(ask, { from, chargesUntil: to + settlementMilliseconds }),
  ]);
  if ('problem' in account) return account;
  if ('problem' in scanned) return scanned;
  if (money && money.currency !== account.currency) return { candidates: [], isWhole: true };
  // The list may show no amount for voided charges.
  const isOf = ({ settleAmount }: AuthorizeNetSummary) => !money || settleAmount === money.minor || settleAmount === 0n;
  const isWithin = ({ submitTimeUTC: at }: AuthorizeNetSummary) => at >= iso(from) && at < iso(to);
  const alike = scanned.filter(
    (one) => mayBeCharge(one) && one.accountNumber?.endsWith(last4) && isOf(one) && isWithin(one),
  );
  if (alike.length === 0) return { candidates: [], isWhole: true };
  const charges = await readAuthorizeNetTransactions(ask, alike.slice(0, maxFound));
  if ('problem' in charges) return charges;
  const refunds = await readAuthorizeNetTransactions(ask, refundsTo(scanned, last4));
  if ('problem' in refunds) return refunds;
  const candidates = charges.flatMap((one) => authorizeNetCandidateOf(one, refunds, account.currency) ?? []);
  return {
    candidates: candidates.filter((one) => !money || one.money.minor === money.minor),
    isWhole: alike.length <= maxFound,
  };
};

type Charge = { candidate: ChargeCandidate; refunds: readonly AuthorizeNetDetails[] };

/** A charge with the refunds to its card since, because refunds are separate transactions; null if there is none. */
const readCharge = async (ask: AskAuthorizeNet, reference: string): Promise<Charge | null | ConnectionTrouble> => {
  if (!/^\d{1,12}$/.test(reference)) return null;
  const charge = await readAuthorizeNetTransaction(ask, reference);
  if (charge === null || isTrouble(charge)) return charge;
  const account = await readAuthorizeNetCurrency(ask);
  if ('problem' in account) return account;
  const made = authorizeNetCandidateOf(charge, [], account.currency);
  if (!made) return null;
  const from = Date.parse(made.date);
  const scanned = await scanAuthorizeNet(ask, { from, chargesUntil: from });
  if ('problem' in scanned) return scanned;
  const refunds = await readAuthorizeNetTransactions(ask, refundsTo(scanned, made.last4));
  if ('problem' in refunds) return refunds;
  return { candidate: authorizeNetCandidateOf(charge, refunds, account.currency) ?? made, refunds };
};

const isWhole = ({ captured, money }: ChargeCandidate, request: ChargeRefundRequest): boolean =>
  request.money.minor === captured && request.money.currency === money.currency;

/** A void gives the whole charge back. Authorize.Net does not say who voided it, or when. */
const isVoided = ({ captured, refunded, isSettled, refundedAt }: ChargeCandidate): boolean =>
  !isSettled && captured > 0n && refunded === captured && refundedAt === undefined;

const lookUp = async (ask: AskAuthorizeNet, request: ChargeRefundRequest): Promise<LookedUp> => {
  const found = await readCharge(ask, request.reference);
  if (found === null || isTrouble(found)) return found;
  const { candidate, refunds } = found;
  if (isVoided(candidate) && isWhole(candidate, request)) return { outcome: 'OK', reference: candidate.reference };
  return authorizeNetResultOf(refunds, request) ?? { candidate };
};

/** Asks Authorize.Net itself to refuse a repetition for as long as it can: eight hours. */
const transactionSettings = { setting: { settingName: 'duplicateWindow', settingValue: '28800' } };

const refundFields = (request: ChargeRefundRequest, { reference, last4 }: ChargeCandidate) => ({
  transactionType: 'refundTransaction',
  amount: formatAmount(request.money),
  currencyCode: request.money.currency,
  payment: { creditCard: { cardNumber: last4, expirationDate: 'XXXX' } },
  refTransId: reference,
  order: { invoiceNumber: invoiceNumberOf(request.key), description: `Alert ${request.alertId}` },
  transactionSettings,
});

const readAuthNet = (answer: JsonAnswer): ProcessorResult =>
  ('status' in answer && answer.status === 200 ? resultOfAuthorizeNetReply(answer.body) : undefined) ??
  outcomeOfAnswer('authorize.net', answer);

/** Before it has settled, a charge can only be voided. */
const send = async (
  ask: AskAuthorizeNet,
  request: ChargeRefundRequest,
  candidate: ChargeCandidate,
): Promise<ProcessorResult> => {
  if (candidate.isSettled) {
    return readAuthNet(await ask('createTransaction', { transactionRequest: refundFields(request, candidate) }));
  }
  if (!isWhole(candidate, request)) {
    return refusedOutcome('refund_failed', 'authorize.net refunds parts only after settlement');
  }
  const transactionRequest = { transactionType: 'voidTransaction', refTransId: candidate.reference };
  const result = readAuthNet(await ask('createTransaction', { transactionRequest }));
  return result.outcome === 'OK' ? { outcome: 'OK', reference: candidate.reference } : result;
};

/**
 * Charges of Automated Recurring Billing name their subscription: https://developer.authorize.net/api/reference/index.html#recurring-billing-cancel-a-subscription
 * (2026-11-29). One that has ended already is refused, which is what was wanted.
 */
const cancelSubscription = async (ask: AskAuthorizeNet, reference: string): Promise<ProcessorResult> => {
  const charge = /^\d{1,12}$/.test(reference) ? await readAuthorizeNetTransaction(ask, reference) : null;
  if (charge !== null && isTrouble(charge)) return unknownOutcome(charge.detail);
  const id = charge?.subscription?.id;
  if (!id) return refusedOutcome('not_found_at_processor', 'authorize.net names no subscription of the charge');
  const answer = await ask('ARBCancelSubscription', { subscriptionId: id });
  const isEnded = 'status' in answer && [200, 409].includes(answer.status);
  if ('status' in answer && answer.status === 404)
    return refusedOutcome('operation_not_supported', 'authorize.net does not know the subscription');
  return isEnded ? { outcome: 'OK', reference: id } : outcomeOfAnswer('authorize.net', answer);
};

/** No transaction has this number, so voiding it changes nothing and shows whether the keys may void and refund. */
const nobody = '1';

const checkKeys = async (ask: AskAuthorizeNet): Promise<Check> => {
  const account = await ask('getMerchantDetails');
  const read = 'status' in account ? readAuthorizeNetAccount(account.body) : undefined;
  if (read?.isTestMode) {
    return { isWorking: false, problem: 'credentials', missing: [], detail: 'The account is in test mode.' };
  }
  return checkRights('Authorize.Net', [
    ['Transaction Details API', () => ask('getUnsettledTransactionList', { paging: { limit: 1, offset: 1 } })],
    [
      'void and refund',
      () =>
        ask('createTransaction', { transactionRequest: { transactionType: 'voidTransaction', refTransId: nobody } }),
    ],
  ]);
};

export const authorizeNetConnectedProcessorOf: ConnectedProcessorOf = ({ open }) =>
  connectAuthorizeNet(open('authorize_net'));
