/**
 * The use of a processor's stand-in in its whole life (life.ts): one file for each, `accounts/<name>.ts`, exporting `standIn`.
 */

export type Webhook = { headers: Record<string, string>; rawBody: string };
type Credentials = Readonly<Record<string, unknown>>;

export type StandIn = {
  /** A site's; null: it has none. */
  credentials: Credentials | null;
  /** A connection's; absent if merchants cannot connect it. */
  connectionKeys?: Credentials;
  /** Has what goes on by itself end, such as a night's batch; answers the webhooks that are then due. */
  settle?(): readonly Webhook[];
  /** A webhook about a payment taken here, if it sends any. */
  webhook?(payment: { reference: string; txid: number }): Webhook;
  /**
   * Has an issuer dispute a payment, or a charge taken elsewhere; returns the webhooks about that. Absent: no webhook reports
   * disputes.
   */
  dispute?(reference: string): readonly Webhook[];
  /** A charge of 19.99 USD that the merchant takes without us, with the card 4111 1111 1111 1111. */
  charge?(): string;
  /** Its charges cannot be searched for. */
  isBlind?: true;
  stop?(): PromiseLike<void>;
};

export type StartStandIn = () => Promise<StandIn>;
