import { fingerprintsOf } from '../../core/card.ts';
import { now } from '../../core/clock.ts';
import { Refusal } from '../../core/errors.ts';
import { endpoint } from '../../core/http.ts';
import { keyRing } from '../../core/secrets.ts';
import { timestampProblem } from '../../payments/hashes.ts';
import { SignedCart } from '../../payments/signed-order.ts';
import { binOf } from '../bins.ts';
import { orderOf, subjectOf, toAssessmentDto } from '../check.ts';
import { checkAlone } from '../check-store.ts';
import { remoteScorers } from '../remote-scorers-client.ts';
import { screenOrder } from '../screen-store.ts';
import { fraudcheck } from './operation.ts';

export const handler = endpoint(
  fraudcheck,
  async ({ params, body }) => {
    const at = now();
    const problem = timestampProblem(body.timestamp, at.getTime());
    if (problem) throw new Refusal('request_invalid', `timestamp: ${problem}`);
    const { money, card } = orderOf(body, at.toISOString());
    const ring = await keyRing('encryption');
    const [, ...earlierTokens] = card?.reveal(({ number }) => fingerprintsOf(ring, number)) ?? [];
    const bin = card?.reveal(({ number }) => binOf(number)) ?? null;
    const kept = {
      sid: params.id,
      money,
      card: card?.toKeptCard(ring) ?? null,
      bin,
      earlierTokens,
      at: at.toISOString(),
    };
    const assessment = await checkAlone(subjectOf(body, kept), body, remoteScorers);
    return { status: 'OK' as const, ...toAssessmentDto(assessment) };
  },
  { screen: screenOrder(SignedCart) },
);
