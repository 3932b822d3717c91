import * as v from 'valibot';
import { exponentOf, usualExponent } from '#core/kernel/money/money.ts';
import type { Shipping } from '#payments/payments/payer.ts';
import { type FraudSubject, payerCountry, payerEmail, payerIp, subjectDigestOf } from '../check/subject.ts';
import type { Score } from './scorer.ts';

type Json = { [name: string]: string | number | Json | Json[] };

/** Without unknown values. */
const dropUnknown = (part: Record<string, string | number | Json | Json[] | null | undefined>): Json =>
  Object.fromEntries(
    Object.entries(part).flatMap(([name, value]) => {
      const isEmpty = value === null || value === undefined || value === '';
      return isEmpty || (typeof value === 'object' && Object.keys(value).length === 0) ? [] : [[name, value] as const];
    }),
  );

const toSiftPlace = (address: Shipping | null): Json =>
  address === null
    ? {}
    : dropUnknown({
        $address_1: address.line1,
        $city: address.city,
        $region: address.state,
        $country: address.country.toUpperCase(),
        $zipcode: address.postcode,
      });

const microsOfUnit = 6;

/** In millionths of the currency's unit, however many decimals that has; undefined for more than a JSON number can hold. */
const toMicros = ({ minor, currency }: FraudSubject['money']): number | undefined => {
  const micros = Number(minor * 10n ** BigInt(microsOfUnit - (exponentOf(currency) ?? usualExponent)));
  return Number.isSafeInteger(micros) ? micros : undefined;
};

/** Sift knows people by the merchant's own ids: a digest of the payer's e-mail address at this site, or else just the order. */
const siftUser = (subject: FraudSubject, order: string): string => {
  const email = payerEmail(subject);
  return email === null ? order : `s${subject.sid}_${subjectDigestOf(email)}`;
};

/**
 * Builds the request for a subject, as a new order: the card's BIN and last four digits. The e-mail address is sent as it is, because Sift
 * does not accept a digest.
 */
export const siftRequest = (subject: FraudSubject, apiKey: string): Json => {
  const { card, device, money, payer, shipping, sid, txid, at } = subject;
  const order =
    txid === null ? `s${sid}_${subjectDigestOf(`${at} ${device.id ?? ''} ${payerEmail(subject) ?? ''}`)}` : `t${txid}`;
  const name = [payer.firstName, payer.lastName].filter(Boolean).join(' ');
  const billing = toSiftPlace(payer.address);
  return dropUnknown({
    $type: '$create_order',
    $api_key: apiKey,
    $user_id: siftUser(subject, order),
    $order_id: order,
    $session_id: device.id?.slice(0, 255),
    $user_email: payerEmail(subject),
    $ip: payerIp(subject),
    $time: Date.parse(at),
    $amount: toMicros(money),
    $currency_code: money.currency,
    $site_domain: `s${sid}`,
    $billing_address: dropUnknown({ $name: name, $phone: payer.phone, $country: payerCountry(subject), ...billing }),
    $shipping_address: toSiftPlace(shipping),
    $payment_methods: card ? [{ $payment_type: '$credit_card', $card_bin: card.first6, $card_last4: card.last4 }] : [],
    $browser: dropUnknown({ $user_agent: device.userAgent, $accept_language: device.acceptLanguage }),
  });
};

const Scored = v.object({
  status: v.literal(0),
  score_response: v.object({
    status: v.literal(0),
    scores: v.object({ payment_abuse: v.object({ score: v.pipe(v.number(), v.minValue(0), v.maxValue(1)) }) }),
  }),
});
const Failed = v.object({ status: v.pipe(v.number(), v.integer()) });

/** The score in an answer. Throws if there is none, with only the two statuses: their error texts repeat what was sent. */
export const readSift = (status: number, answer: unknown): Score => {
  const scored = v.safeParse(Scored, answer);
  if (status !== 200 || !scored.success) {
    const failed = v.safeParse(Failed, answer);
    throw new Error(`Sift answered ${status}${failed.success ? ` ${failed.output.status}` : ''}`);
  }
  const points = Math.round(scored.output.score_response.scores.payment_abuse.score * 100);
  return { points, reasons: [{ name: 'sift_payment_abuse', points }] };
};
