import * as v from 'valibot';
import { formatAmount } from '#core/kernel/money/money.ts';
import type { Shipping } from '#payments/payments/payer.ts';
import { type FraudSubject, mailDomain, payerCountry, payerEmail, payerIp } from '../check/subject.ts';
import { emailDigest } from './minfraud-email.ts';
import type { Score } from './scorer.ts';

type Part = Record<string, string | number>;

/** Without unknown values; undefined if nothing is left. */
const dropUnknown = (part: Record<string, string | number | null | undefined>): Part | undefined => {
  const entries = Object.entries(part).flatMap(([name, value]) =>
    value === null || value === undefined || value === '' ? [] : [[name, value] as const],
  );
  return entries.length > 0 ? Object.fromEntries(entries) : undefined;
};

/** MaxMind takes two letters for a country and up to four letters or digits for a region, and refuses a request with others. */
const codes = ({ country, state }: Pick<Shipping, 'country' | 'state'>) => {
  const [land, region] = [country.toUpperCase(), state.toUpperCase()];
  return { country: /^[A-Z]{2}$/.test(land) ? land : null, region: /^[0-9A-Z]{1,4}$/.test(region) ? region : null };
};

const toMaxMind = (address: Shipping | null) =>
  address && { address: address.line1, city: address.city, postal: address.postcode, ...codes(address) };

/** Builds the request for a subject: the card's BIN and last four digits, the e-mail address as a digest. */
export const minfraudRequest = (subject: FraudSubject): Record<string, Part> => {
  const { card, device, money, payer, shipping, kind, txid, at } = subject;
  const email = payerEmail(subject);
  const domain = mailDomain(email);
  const parts = {
    device: dropUnknown({
      ip_address: payerIp(subject),
      user_agent: device.userAgent,
      accept_language: device.acceptLanguage,
      session_id: device.id?.slice(0, 255),
    }),
    event: dropUnknown({
      type: 'purchase',
      time: at,
      shop_id: `s${subject.sid}`,
      transaction_id: kind === 'payment' && txid !== null ? String(txid) : null,
    }),
    email: payer.email === null ? undefined : dropUnknown({ address: emailDigest(payer.email), domain }),
    billing: dropUnknown({
      first_name: payer.firstName,
      last_name: payer.lastName,
      phone_number: payer.phone,
      country: payerCountry(subject),
      ...toMaxMind(payer.address),
    }),
    shipping: dropUnknown({ ...toMaxMind(shipping) }),
    credit_card: card ? dropUnknown({ issuer_id_number: card.first6, last_digits: card.last4 }) : undefined,
    // A JSON number, as their API requires; nothing is calculated with it. They do not accept 0.
    order: dropUnknown({ amount: money.minor > 0n ? Number(formatAmount(money)) : null, currency: money.currency }),
  };
  return Object.fromEntries(Object.entries(parts).flatMap(([name, part]) => (part ? [[name, part] as const] : [])));
};

/** From 0.01 to 99. */
const Scored = v.object({ risk_score: v.pipe(v.number(), v.minValue(0), v.maxValue(100)) });
const Failed = v.object({ code: v.pipe(v.string(), v.regex(/^[A-Z_]{1,64}$/)) });

/** The score in an answer. Throws if there is none, with only the status and MaxMind's code: their error texts repeat what was sent. */
export const readMinfraud = (status: number, answer: unknown): Score => {
  const scored = v.safeParse(Scored, answer);
  if (status !== 200 || !scored.success) {
    const failed = v.safeParse(Failed, answer);
    throw new Error(`minFraud answered ${status}${failed.success ? ` ${failed.output.code}` : ''}`);
  }
  const points = Math.round(scored.output.risk_score);
  return { points, reasons: [{ name: 'minfraud_risk_score', points }] };
};
