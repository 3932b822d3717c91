import type { InferOutput } from 'valibot';
import type { Site } from '#accounts/merchants/site/site.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import { canAccessMerchant } from '#core/platform/operation/merchant-access.ts';
import type { Caller } from '#core/platform/operation/operation.ts';
import { blankProviderAlert, maskedCard, withoutCardNumbers } from '#disputes/providers/provider-alert.ts';
import type { ProviderAlert } from '#disputes/providers/providers.ts';
import type { TestAlertBody } from '../schemas.ts';
import { type ClaimCandidate, matchClaims } from './matching.ts';

/** Builds a test alert, in the shape of all providers. `caseId` is new with each; `at`: ISO. */
export const testRequestToAlert = (
  body: InferOutput<typeof TestAlertBody>,
  caseId: string,
  at: string,
): ProviderAlert =>
  withoutCardNumbers({
    ...blankProviderAlert,
    provider: 'service_dummy',
    caseId,
    type: body.alert_type,
    card: maskedCard((body.card ?? '').slice(0, 6), (body.card ?? '').slice(-4)),
    transactionAt: body.transaction_timestamp ?? at,
    descriptor: body.descriptor,
    amount: body.amount,
    currency: body.currency,
    arn: body.arn ?? '',
    authCode: body.auth_code ?? '',
    conditionCode: body.dispute_condition_code ?? '',
    issuerName: body.issuername ?? '',
    providerDate: at,
    test: true,
    ...(body.alert_type === 'DISPUTE_RDR' && toRdrFields(body)),
  });

/** The fields of a decision of RDR; those left out have samples, so that a receiver is tried with all of them. */
const toRdrFields = (body: InferOutput<typeof TestAlertBody>) => {
  const { decision = body.rdr_reason_code === undefined ? 'ACCEPTED' : 'DECLINED' } = body;
  return {
    decision,
    declineCode: decision === 'DECLINED' ? (body.rdr_reason_code ?? 'D4') : '',
    bin: body.bin ?? '423223',
    caid: body.caid ?? '1231231',
    disputeAmount: body.amount,
    disputeCurrency: body.currency,
  };
};

/** The claim among the caller's sites that a test alert goes to. Refuses (onboarding_incomplete) when there is not one. */
export const testCandidate = (candidates: readonly ClaimCandidate[], caller: Caller): ClaimCandidate => {
  const match = matchClaims(candidates.filter(({ mid }) => canAccessMerchant(caller, mid)));
  if ('candidate' in match) return match.candidate;
  throw new Refusal(
    'onboarding_incomplete',
    match.unmatchedBecause === 'tie'
      ? 'descriptor: several merchants have enrolled it; use the token of the one you mean.'
      : 'descriptor: no enrolled descriptor matches it. Enroll it, and wait until it is ENROLLED.',
  );
};

/** Refuses (onboarding_incomplete) a site without alert settings. Those without a URL are reached by e-mail or in the dashboard. */
export const checkOnboarded = (site: Site): void => {
  if (site.alert) return;
  throw new Refusal('onboarding_incomplete', `Site ${site.sid} has no alert settings. Save them first.`);
};

/** Returns a test alert's case that its network may withdraw. Throws request_invalid. */
export const requireRdrTest = ({ test, type, caseId }: ProviderAlert): string => {
  if (test && type === 'DISPUTE_RDR') return caseId;
  throw new Refusal('request_invalid', 'alert_id: must be a test alert of type DISPUTE_RDR');
};
