import { createHash } from 'node:crypto';
import { maskKept } from '#core/kernel/card/card-mask.ts';
import { sha256 } from '#core/kernel/crypto.ts';
import { formatAmount } from '#core/kernel/money/money.ts';
import { fromKeptMoney } from '#payments/payments/kept-money.ts';
import { type Authentication, nextStepOf } from '../authentication/authentication.ts';
import { toBase64Url } from '../server/base64url.ts';

/** The facts about an authentication, by reader. */

/** The values themselves, under EMVCo's names. */
const proofValues = ({ result }: Authentication, value: string | null) => ({
  messageVersion: result?.messageVersion ?? null,
  authenticationValue: value,
  dsTransID: result?.dsTransId ?? null,
  eci: result?.eci ?? null,
  transStatus: result?.transStatus ?? null,
  transStatusReason: result?.transStatusReason ?? null,
  aresTransStatus: result?.aresTransStatus ?? null,
  challengeTransStatus: result?.challengeTransStatus ?? null,
  challengeCancel: result?.challengeCancel ?? null,
});

/** Returns what a page puts into `threeDSecure` of singletx: only the number, unless its site asks for the values. */
const threeDSecureOf = (authentication: Authentication, value: string | null): string => {
  const values = authentication.settings.tellsValues ? proofValues(authentication, value) : {};
  return JSON.stringify({ authentication_id: authentication.id, ...values });
};

/** The reply to the payer's page. */
export const toClientReply = (authentication: Authentication, value: string | null = null) => {
  const { settings, status, outcome, result } = authentication;
  const step = nextStepOf(authentication);
  const usual = { step, mode: settings.mode, verbose: settings.isVerbose };
  if (status !== 'done') return usual;
  return {
    ...usual,
    authentication_id: authentication.id,
    outcome: outcome ?? 'unavailable',
    transStatus: result?.transStatus ?? null,
    liability_shift: result?.liabilityShift ?? false,
    three_d_secure: threeDSecureOf(authentication, value),
    cardholder_info: result?.cardholderInfo ?? null,
  };
};

/** md5 of sid, authentication_id and rcode. */
export const detailsHash = (sid: number, id: number, rcode: string): string =>
  createHash('md5').update(`${sid}${id}${rcode}`).digest('hex');

type Verified = {
  sid: number;
  id: number;
  outcome: string | null;
  amount: string;
  currency: string;
  transStatus: string | null;
};

/** The hash with which a merchant verifies a result; missing values are empty. */
const vrfyOfAuthentication = (rcode: string, { sid, id, outcome, amount, currency, transStatus }: Verified): string =>
  sha256([sid, rcode, id, outcome ?? '', amount, currency, transStatus ?? ''].join(';'));

/** Everything that is known about an authentication, except the proof. */
export const toKnown = (authentication: Authentication) => {
  const { id, sid, status, outcome, reason, money, card, result, server } = authentication;
  const { authenticationValue, ...values } = proofValues(authentication, null);
  return {
    authentication_id: id,
    sid,
    status,
    outcome,
    reason,
    ...values,
    threeDSServerTransID: server?.transId ?? null,
    acsTransID: result?.acsTransId ?? null,
    authenticationType: result?.authenticationType ?? null,
    liability_shift: result?.liabilityShift ?? false,
    exemption: result?.exemption ?? null,
    cardholder_info: result?.cardholderInfo ?? null,
    amount: Number(formatAmount(fromKeptMoney(money))),
    currency: money.currency,
    card: card && maskKept(card),
    created_at: authentication.createdAt,
    done_at: authentication.doneAt,
    used_by_txid: authentication.usedByTxid,
  };
};

/** The reply to the merchant's server: everything, and the value as long as it is kept. */
export const toDetailsReply = (authentication: Authentication, value: string | null, rcode: string) => {
  const { id, sid, outcome, money, result } = authentication;
  const verified = { sid, id, outcome, amount: formatAmount(fromKeptMoney(money)), currency: money.currency };
  return {
    ...toKnown(authentication),
    authenticationValue: value,
    vrfy: vrfyOfAuthentication(rcode, { ...verified, transStatus: result?.transStatus ?? null }),
  };
};

export const frameKinds = ['method', 'challenge'] as const;
export type FrameKind = (typeof frameKinds)[number];

/** Returns the form that the frame posts to the issuer; undefined where there is nothing to post now. `baseUrl`: of this service. */
export const toFrameReply = (
  { status, server, challenge, pageOrigin }: Authentication,
  kind: FrameKind,
  baseUrl: string,
) => {
  if (kind === 'method') {
    if (status !== 'started' || !server?.methodUrl) return undefined;
    const data = { threeDSServerTransID: server.transId, threeDSMethodNotificationURL: `${baseUrl}/3ds/method` };
    return { url: server.methodUrl, field: 'threeDSMethodData', value: toBase64Url(data), page_origin: pageOrigin };
  }
  if (status !== 'challenged' || !server || !challenge?.ares.acsUrl) return undefined;
  const creq = {
    messageType: 'CReq',
    messageVersion: server.version,
    threeDSServerTransID: server.transId,
    acsTransID: challenge.ares.acsTransId,
    challengeWindowSize: challenge.windowSize,
  };
  return { url: challenge.ares.acsUrl, field: 'creq', value: toBase64Url(creq), page_origin: pageOrigin };
};
