import type { threeDsProviders } from '#accounts/merchants/settings/three-ds-values.ts';
import type { Card } from '#core/kernel/card/card.ts';

/**
 * The port between an authentication and the 3DS server that speaks with the schemes' directory servers. An adapter talks to
 * one server for one site; the sandbox and 3dsecure.io each are one, and both pass one contract suite
 * (test/payments/threeds/contract.ts).
 *
 * Every adapter promises:
 * - It never throws for what the other side or the network does: that is `unavailable`.
 * - Card data is read from the Card at the moment it is written into the request, and is in no error and no log line.
 * - What it answers is parsed: nothing of another shape gets through, and addresses are of schemes that a browser may post to.
 */

export type ThreeDsProvider = (typeof threeDsProviders)[number];

/** `timeout`: there was no answer in time. `refused`: the server reports that the request is wrong. `broken`: anything else. */
export type Unavailable = { kind: 'unavailable'; why: 'timeout' | 'refused' | 'broken'; detail: string };

export type Versions =
  | {
      kind: 'enrolled';
      serverTransId: string;
      /** The highest that all sides speak and that is not above the limit; else the lowest of the issuer's. */
      version: string;
      methodUrl: string | null;
    }
  | { kind: 'not_enrolled' }
  | Unavailable;

/** An issuer's answer to an AReq. Texts for people are cut to the length that EMVCo allows. */
export type Ares = {
  transStatus: string;
  transStatusReason: string | null;
  eci: string | null;
  authenticationValue: string | null;
  dsTransId: string | null;
  acsTransId: string | null;
  /** Where a challenge takes place; null where there is none, or none that a browser may be sent to. */
  acsUrl: string | null;
  authenticationType: string | null;
  cardholderInfo: string | null;
  /** Of 2.3.1: the exemption that the issuer applied. */
  challengeExemption: string | null;
  messageVersion: string | null;
};

/** The result of a challenge, as the issuer reports it to the 3DS server. */
export type Rreq = {
  transStatus: string;
  transStatusReason: string | null;
  eci: string | null;
  authenticationValue: string | null;
  dsTransId: string | null;
  acsTransId: string | null;
  authenticationType: string | null;
  challengeCancel: string | null;
  cardholderInfo: string | null;
  messageVersion: string | null;
};

/** An AReq as EMVCo names its fields, without what is of the card. */
export type Areq = Readonly<Record<string, unknown>>;

export type ThreeDsServer = {
  name: ThreeDsProvider;
  /** True if and how the card's issuer can be asked. `highest`: no version above it. */
  versions(card: Card, highest: string): Promise<Versions>;
  authenticate(request: { card: Card; areq: Areq }): Promise<{ kind: 'ares'; ares: Ares } | Unavailable>;
  /** The result of a challenge. `unknown`: the server has forgotten it, or never knew it. */
  result(
    serverTransId: string,
  ): Promise<{ kind: 'rreq'; rreq: Rreq } | { kind: 'pending' } | { kind: 'unknown' } | Unavailable>;
};
