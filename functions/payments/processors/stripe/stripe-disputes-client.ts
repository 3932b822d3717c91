import type Stripe from 'stripe';
import { iso } from '#core/kernel/clock.ts';
import { sha256 } from '#core/kernel/crypto.ts';
import type { DisputesOf } from '../ports/account.ts';
import {
  type DisputeAnswer,
  type DisputeDone,
  type DisputeEvidence,
  type DisputePort,
  type DisputesAnswer,
  foundAndUnread,
  type ProcessorDispute,
  type WarningAnswer,
} from '../ports/dispute.ts';
import type { FileOfEvidence } from '../ports/evidence-kinds.ts';
import { readWithKnownCurrency } from '../unknown-currency-client.ts';
import { disputeOfStripe, needsFee, warningOfStripe } from './stripe-disputes.ts';
import { type StripeFile, stripeEvidence } from './stripe-evidence.ts';
import { outcomeOfStripeError, type StripeCredentials, stripePackage } from './stripe-package-client.ts';

/** Returns Stripe's refusal, in words without anything that was sent. */
const toRefusal = (error: unknown): { isCertain: boolean; words: string } => {
  const outcome = outcomeOfStripeError(error, 'refund');
  const words = 'detail' in outcome && outcome.detail ? outcome.detail : 'stripe refused it';
  return { isCertain: outcome.outcome === 'EXC' && outcome.code !== 'processor_unavailable', words };
};

const isAbsent = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'statusCode' in error && error.statusCode === 404;

/** Disputes of one account. */
export const stripeDisputes = (credentials: Pick<StripeCredentials, 'secret_key' | 'base_url'>): DisputePort => {
  const stripe = stripePackage(credentials);
  return {
    look: (reference) => readStripeDispute(stripe, reference),
    lookAtWarning: (reference) => lookAtWarning(stripe, reference),
    since: (from, before) => since(stripe, from, before),
    submit: (reference, evidence) => submit(stripe, reference, evidence),
    accept: (reference, idempotencyKey) => askStripe(() => stripe.disputes.close(reference, {}, { idempotencyKey })),
  };
};

const readStripeDispute = async (stripe: Stripe, reference: string): Promise<DisputeAnswer> => {
  try {
    const dispute = await stripe.disputes.retrieve(reference);
    const found = readWithKnownCurrency('stripe', () => disputeOfStripe(dispute));
    return found ? { found } : { unknown: 'stripe: the currency of the dispute is not known' };
  } catch (error) {
    return isAbsent(error) ? { found: null } : { unknown: toRefusal(error).words };
  }
};

/** Ten pages per call: more would outlast a function. */
const maxDisputes = 1000;

/** Stripe lists the newest first. The last second is read completely, so that the next call can begin before it. */
const since = async (stripe: Stripe, from: string, before?: string): Promise<DisputesAnswer> => {
  const seconds = (time: string): number => Math.floor(Date.parse(time) / 1000);
  const created = { gte: seconds(from), ...(before !== undefined && { lt: seconds(before) }) };
  const listed: { reference: string; dispute: ProcessorDispute | undefined }[] = [];
  let [count, last] = [0, 0];
  try {
    for await (const dispute of stripe.disputes.list({ created, limit: 100 })) {
      if (count >= maxDisputes && dispute.created < last) {
        return { ...foundAndUnread('stripe', listed), before: iso(last * 1000) };
      }
      [count, last] = [count + 1, dispute.created];
      listed.push({ reference: dispute.id, dispute: readWithKnownCurrency('stripe', () => disputeOfStripe(dispute)) });
    }
    return foundAndUnread('stripe', listed);
  } catch (error) {
    return { unknown: toRefusal(error).words };
  }
};

/**
 * Stripe accepts evidence once. First this checks whether it was submitted, as an answer may have been lost, or a person may have used
 * Stripe's dashboard. The key is made from the evidence, as Stripe refuses one key with two contents.
 */
const submit = async (stripe: Stripe, reference: string, told: DisputeEvidence): Promise<DisputeDone> => {
  try {
    const dispute = await stripe.disputes.retrieve(reference);
    if (dispute.status === 'appeal_needs_response')
      return { refused: 'stripe accepts an appeal in its Dashboard only' };
    const { submission_count: count, submission_method: method } = dispute.evidence_details;
    if (count > 0 && method === 'smart_disputes')
      return { refused: 'stripe has submitted evidence itself (Smart Disputes)' };
    // Assumed: what answered an inquiry does not answer the chargeback that it became, which its status shows.
    if (count > 0 && dispute.status !== 'needs_response') return 'done';
    const isCompliance = needsFee(dispute);
    if (isCompliance && told.isFeeAcknowledged !== true) return { refused: feeWords, isOurs: true };
    const files = await Promise.all(told.files.map((file) => upload(stripe, reference, file)));
    const evidence = stripeEvidence(await withCharges(stripe, told), files);
    const place = { reference, status: dispute.status };
    return await send(stripe, place, isCompliance ? withFee(dispute, evidence) : evidence, !isCompliance);
  } catch (error) {
    const { isCertain, words } = toRefusal(error);
    return isCertain ? { refused: words } : { unknown: words };
  }
};

const feeWords =
  'To contest a compliance dispute costs 500 USD, which Stripe returns only if it is won: send fee_acknowledged if it is worth that.';

type Evidence = Omit<ReturnType<typeof stripeEvidence>, 'enhanced_evidence'> & {
  enhanced_evidence?: Stripe.DisputeUpdateParams.Evidence.EnhancedEvidence;
};

/** Contests a compliance dispute, and agrees to its fee. */
const withFee = (dispute: Stripe.Dispute, { enhanced_evidence: _, ...evidence }: Evidence): Evidence => {
  const isMastercard =
    dispute.enhanced_eligibility_types?.includes('mastercard_compliance') ||
    dispute.payment_method_details?.card?.brand === 'mastercard';
  const fee = { fee_acknowledged: true };
  return { ...evidence, enhanced_evidence: isMastercard ? { mastercard_compliance: fee } : { visa_compliance: fee } };
};

/**
 * Stripe may refuse the enhanced part alone, for reasons that it does not document: then the rest is submitted without it. `hasRest`: false for a compliance
 * dispute, which is contested with that part only.
 */
const send = async (
  stripe: Stripe,
  place: { reference: string; status: string },
  evidence: Evidence,
  hasRest: boolean,
): Promise<DisputeDone> => {
  const { reference, status } = place;
  const { enhanced_evidence: enhanced, ...plain } = evidence;
  const idempotencyKey = `fw-evidence-${reference}-${sha256(JSON.stringify({ status, ...evidence })).slice(0, 24)}`;
  try {
    // Otherwise Stripe may submit evidence of its own choice in the same time.
    const update = { evidence, submit: true, intended_submission_method: 'manual' } as const;
    await stripe.disputes.update(reference, update, { idempotencyKey });
    return 'done';
  } catch (error) {
    const { isCertain, words } = toRefusal(error);
    if (!isCertain) return { unknown: words };
    return enhanced && hasRest ? send(stripe, place, plain, false) : { refused: words };
  }
};

/** The same file is uploaded once: after a lost answer Stripe returns the first. https://docs.stripe.com/file-upload */
const upload = async (
  stripe: Stripe,
  reference: string,
  { kind, name, type, bytes }: FileOfEvidence,
): Promise<StripeFile> => {
  const idempotencyKey = `fw-file-${reference}-${kind}-${sha256(Buffer.from(bytes).toString('base64')).slice(0, 24)}`;
  const file = { data: bytes, name, type };
  const { id } = await stripe.files.create({ purpose: 'dispute_evidence', file }, { idempotencyKey });
  return { kind, id };
};

/** Payments that were taken here are known by their intents; evidence names charges. */
const withCharges = async (stripe: Stripe, evidence: DisputeEvidence): Promise<DisputeEvidence> => {
  if (!evidence.compelling) return evidence;
  const priors = await Promise.all(
    evidence.compelling.priors.map(async (prior) => {
      if (!prior.charge?.startsWith('pi_')) return prior;
      const { latest_charge: charge } = await stripe.paymentIntents.retrieve(prior.charge);
      return { ...prior, charge: typeof charge === 'string' ? charge : (charge?.id ?? null) };
    }),
  );
  return { ...evidence, compelling: { ...evidence.compelling, priors } };
};

/** Warnings are fetched by their address: our bundles contain none of the package's Radar classes. */
const lookAtWarning = async (stripe: Stripe, reference: string): Promise<WarningAnswer> => {
  if (!/^issfr_\w{1,80}$/.test(reference)) return { found: null };
  try {
    const told = await stripe.rawRequest('GET', `/v1/radar/early_fraud_warnings/${reference}?expand[]=charge`);
    const found = readWithKnownCurrency('stripe', () => warningOfStripe(told));
    return found ? { found } : { unknown: 'stripe sent a warning in an unknown form' };
  } catch (error) {
    return isAbsent(error) ? { found: null } : { unknown: toRefusal(error).words };
  }
};

const askStripe = async (ask: () => Promise<unknown>): Promise<DisputeDone> => {
  try {
    await ask();
    return 'done';
  } catch (error) {
    const { isCertain, words } = toRefusal(error);
    return isCertain ? { refused: words } : { unknown: words };
  }
};

export const stripeDisputesOf: DisputesOf = ({ open }) => stripeDisputes(open('stripe'));
