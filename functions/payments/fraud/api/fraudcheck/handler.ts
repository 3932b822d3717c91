import { cardFingerprintsOf } from '#core/kernel/card/card.ts';
import { now } from '#core/kernel/clock.ts';
import { endpoint } from '#core/platform/http/http.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import { keyRing } from '#core/platform/secrets/secrets.ts';
import { SignedCart } from '#payments/payments/order/signed-order.ts';
import { proofTimestampProblem, siteProofOf } from '#payments/payments/order/site-proof.ts';
import { toBin } from '../../bins/bins.ts';
import { fraudOrderOf, fraudSubjectOf, toAssessmentDto } from '../../check/check.ts';
import { checkAlone } from '../../check/check-store.ts';
import { screenOrder } from '../../check/screen-store.ts';
import { remoteScorers } from '../../scorers/remote-scorers-client.ts';
import { fraudcheckOperation } from './operation.ts';

export const handler = endpoint(
  fraudcheckOperation,
  async ({ params, body, ...call }) => {
    const at = now();
    const proof = siteProofOf(call, body.hash, at.getTime());
    const problem = proofTimestampProblem(proof, body.timestamp, at.getTime());
    if (problem) throw new Refusal('request_invalid', `timestamp: ${problem}`);
    const { money, card } = fraudOrderOf(body, at.toISOString());
    const ring = await keyRing('encryption');
    const [, ...earlierTokens] = card?.reveal(({ number }) => cardFingerprintsOf(ring, number)) ?? [];
    const bin = card?.reveal(({ number }) => toBin(number)) ?? null;
    const kept = {
      sid: params.id,
      money,
      card: card?.toKeptCard(ring) ?? null,
      bin,
      earlierTokens,
      at: at.toISOString(),
    };
    const assessment = await checkAlone(
      fraudSubjectOf(body, kept),
      { proof, timestamp: body.timestamp ?? '' },
      remoteScorers,
    );
    return { status: 'OK' as const, ...toAssessmentDto(assessment) };
  },
  { screen: screenOrder(SignedCart) },
);
