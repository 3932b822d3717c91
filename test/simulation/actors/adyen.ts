import { AdyenAccount, type Notice } from '#test/support/fake-adyen.ts';
import { callUntilKnown } from '../gateway.ts';
import type { Observed } from '../outside-events.ts';
import type { Site } from '../setup.ts';
import type { Host, Reply } from '../world/network.ts';
import { type Random, seedRandom } from '../world/random.ts';
import type { World } from '../world/world.ts';
import { judge } from './contract.ts';
import { drawMood, lateMood, type Mood, momentsOfWebhook } from './processor.ts';

/** Adyen, which tells by signed webhooks alone what became of captures, refunds and disputes: late, twice and in any order. */

const { apiKey: api_key, merchantAccount: merchant_account, hmacKey: hmac_key } = new AdyenAccount();
export const adyenCredentials = { api_key, merchant_account, hmac_key, environment: 'test' };

/** Cards by what the account makes of them. */
export const adyenNumbers = ['4242424242424242', '4000000000000002', '4000000000005126'] as const;

type Means = {
  world: World;
  observed: Observed;
  site: Site;
  /** The rate of its failures. */
  moods: number;
  until: number;
  /**
   * True if it loses answers about payments, reports authorisations only when these have been given up, and does not name what it could not
   * cancel; and issuers are quick.
   */
  isForgetful: boolean;
  /** Schedules an action; the history does not rest before. */
  plan: (time: number, act: () => void) => void;
};

const hour = 3_600_000;
const failure = { status: 500, errorCode: '905', message: 'Something went wrong', errorType: 'internal' };

/** Longer than anybody waits for the webhook of a payment whose answer was lost. */
const muchLater = (random: Random): number[] => [random.next() * 4 * hour];

const tell = ({ world, observed: { adyen }, site, isForgetful, plan }: Means, notice: Notice, random: Random): void => {
  const { headers, rawBody } = adyen.sign([notice]);
  const isForgotten = isForgetful && notice.eventCode === 'AUTHORISATION';
  for (const late of isForgotten ? muchLater(random) : momentsOfWebhook(random)) {
    plan(world.timeline.now + late, () =>
      callUntilKnown(
        world,
        'transactions/receive-processor-webhook',
        () => ({ body: rawBody, headers, params: { processor: 'adyen', sid: site.sid } }),
        ({ status }) => {
          if (status !== 200) throw new Error(`A webhook of Adyen was answered ${status}`);
        },
      ),
    );
  }
};

/** A person who knows a payment, and not the key, reports that its money was returned. */
const forge = ({ world, observed: { adyen }, site, plan }: Means, notice: Notice, random: Random): void => {
  const { pspReference, merchantReference } = notice;
  const about = { originalReference: pspReference, merchantReference, success: true };
  const said = { ...about, eventCode: 'CHARGEBACK', pspReference: `FORGED${pspReference}` };
  const { headers, rawBody } = adyen.sign([said], { hmacKey: '00'.repeat(32) });
  plan(world.timeline.now + random.next() * 5 * hour, () =>
    callUntilKnown(
      world,
      'transactions/receive-processor-webhook',
      () => ({ body: rawBody, headers, params: { processor: 'adyen', sid: site.sid } }),
      () => undefined,
    ),
  );
};

/** An issuer charges a payment back, and gives up or does not. */
const issuerDisputes = (means: Means, { pspReference, merchantReference }: Notice, random: Random): void => {
  const { world, observed, plan } = means;
  const payment = observed.adyen.payments.find(({ psp }) => psp === pspReference);
  if (!payment || !random.chance(means.isForgetful ? 0.8 : 0.4)) return;
  const span = means.isForgetful ? 3 * hour : 20 * hour;
  const [isWon, first] = [random.chance(0.4), world.timeline.now + random.next() * span];
  const reference = `DISPUTE${pspReference}`;
  const say = (eventCode: string): void => {
    world.note(`  ${pspReference}: ${eventCode}`);
    const amount = { value: payment.amount, currency: payment.currency };
    const about = { pspReference: reference, originalReference: pspReference, merchantReference, amount };
    tell(means, { eventCode, success: true, ...about }, random);
  };
  plan(first, () => {
    // A payment that was refunded, or never captured, is not disputed.
    if (payment.captured === 0 || payment.refunded > 0) return;
    observed.adyenDisputes.push({ reference, minor: payment.amount, payment: pspReference, isWon });
    say('CHARGEBACK');
    if (!isWon) return;
    const reversed = first + random.next() * 20 * hour;
    plan(reversed, () => say('CHARGEBACK_REVERSED'));
    // Only this is final.
    plan(reversed + random.next() * hour, () => say('ISSUER_RESPONSE_TIMEFRAME_EXPIRED'));
  });
};

const lostMood: Mood = { reply: { kind: 'reset' }, isDone: true };

const adyen =
  (means: Means): Host =>
  ({ url, method, headers, body, from }) => {
    const {
      world,
      observed: { adyen: account },
      moods,
      until,
      isForgetful,
    } = means;
    const random = seedRandom(world.seed, `adyen ${from.place}.${from.calls}`);
    const isLost = isForgetful && moods > 0 && url.pathname.endsWith('/payments') && random.chance(0.7);
    const mood =
      world.timeline.now < until && random.chance(isLost ? 1 : moods * 0.3)
        ? isLost
          ? lostMood
          : drawMood(random, { failure }, [lateMood(random)])
        : undefined;
    const answer = (): Reply => {
      const request = { method, path: url.pathname, query: url.searchParams, headers, body };
      const { status, body: said, headers: more = {} } = judge('adyen', request, account.answer(request));
      world.note(`  Adyen answered ${url.pathname} ${status}${mood ? ', which is lost' : ''}`);
      for (const notice of account.notices.splice(0)) {
        const { originalReference: _, ...unnamed } = notice;
        tell(means, isForgetful && notice.eventCode === 'TECHNICAL_CANCEL' ? unnamed : notice, random);
        if (notice.eventCode !== 'AUTHORISATION' || !notice.success) continue;
        issuerDisputes(means, notice, random);
        if (random.chance(0.3)) forge(means, notice, random);
      }
      const type = { 'content-type': 'application/json' };
      const answer = JSON.stringify(said);
      return { kind: 'answer', status, body: answer, headers: { ...more, ...type }, delay: random.next() * 400 };
    };
    if (mood?.late !== undefined) world.timeline.after(mood.late, () => void answer());
    if (!mood) return answer();
    if (mood.isDone) answer();
    return mood.reply;
  };

/** Has Adyen listen. */
export const openAdyen = (means: Means): void => {
  means.world.network.listen('checkout-test.adyen.com', adyen(means));
};
