import { AdyenAccount } from '#test/support/fake-adyen.ts';
import { newMerchantService } from '#test/support/fake-merchant-service.ts';
import { NmiAccount } from '#test/support/fake-nmi.ts';
import { StripeAccount } from '#test/support/fake-stripe.ts';
import type { WooShop } from '#test/support/fake-woocommerce.ts';
import { elsewhereAtStripe } from './actors/stripe-elsewhere.ts';
import type { Invocation } from './world/lambda.ts';

/** The observations and actions of those outside of the service: by this, and by the table, a history is judged. */
export type Observed = {
  cases: Case[];
  posts: Post[];
  told: Told[];
  payments: Payment[];
  inbox: InboxCase[];
  /** When each chargeback was accepted, as was answered. */
  acceptedChargebacks: Map<string, number>;
  /** The content of each uploaded file. */
  files: Map<string, string>;
  /** The authentications that were begun, each by the numbers that were answered: never more than one. */
  authentications: Set<number>[];
  /** The store's account at Stripe. */
  stripe: StripeAccount;
  /** The account at NMI that a merchant has connected. */
  nmi: NmiAccount;
  /** The account at Stripe that a merchant has connected. */
  elsewhere: StripeAccount;
  /** The store's account at Adyen, and its results of each dispute there. */
  adyen: AdyenAccount;
  adyenDisputes: { reference: string; minor: number; payment: string; isWon: boolean }[];
  /** A merchant's own service, and the merchant that imports its charges; undefined until the import is requested. */
  service: ReturnType<typeof newMerchantService>;
  importing: Importing | undefined;
  /** The merchant whose shop's orders are imported; undefined until its shop is known. */
  shopkeeper: Shopkeeper | undefined;
  /** Replays that an operator was promised, by delivery. */
  replays: Set<string>;
  /** Answers of a merchant that were accepted. */
  accepted: { alertId: number; status: string; reason_code: string }[];
  /** Answers that no caller should ever get. */
  surprises: string[];
};

export const nothingObserved = (): Observed => ({
  cases: [],
  posts: [],
  told: [],
  payments: [],
  inbox: [],
  acceptedChargebacks: new Map(),
  files: new Map(),
  authentications: [],
  stripe: new StripeAccount(),
  nmi: new NmiAccount(),
  elsewhere: new StripeAccount(elsewhereAtStripe),
  adyen: new AdyenAccount(),
  adyenDisputes: [],
  service: newMerchantService(),
  importing: undefined,
  shopkeeper: undefined,
  replays: new Set(),
  accepted: [],
  surprises: [],
});

/** A provider's case, as it was sent. */
export type Case = {
  provider: 'provider_a' | 'provider_b' | 'rdr';
  caseId: string;
  arn: string | undefined;
  informs: boolean;
  /** The alerts that the provider received: never more than one. */
  alertIds: Set<number>;
  isAcknowledged: boolean;
  withdrawal: 'none' | 'sent' | 'acknowledged';
};

/** A case that no site matches as it comes. */
export type InboxCase = {
  sent: Case;
  /** The sites to which it was assigned, as was answered. */
  assigned: Set<number>;
  /** True if a site has enrolled its descriptor. */
  isEnrolled: boolean;
};

/** A merchant that imports the charges of its service from `from`, inclusive, until `to`, exclusive. */
export type Importing = {
  mid: number;
  connection: string;
  from: string;
  to: string;
  /** The references of its orders. */
  orders: readonly string[];
  /** The imports that it was promised to be cancelled, and those for which it only asked for that. */
  cancelled: Set<string>;
  cancelAsked: Set<string>;
  /** Imports that went on while they were paused. */
  overruns: string[];
};

/** `sold`: the shop's orders whose charge the merchant's own service knows. `unknown`: the number of those without a known card. */
export type Sales = { shop: WooShop; sold: Set<number>; unknown: number };

/**
 * `counts`: of the import, once all orders were read after the last sale. The shop is disconnected then: it would be read every 15 minutes until
 * the history is over.
 */
export type Shopkeeper = {
  sid: number;
  sales: Sales;
  counts: { imported: number; withoutCard: number; refused: number } | undefined;
};

/** A request that reached a merchant's endpoint. */
export type Post = {
  time: number;
  deliveryId: string;
  /** The receiver's identifier of it: another where the same notification became due again with another content. */
  messageId: string;
  /** Its report of the handling of an alert; null: it is no new alert. */
  action: string | null;
  /** Seconds since 1970, as its signature says. */
  timestamp: number;
  run: Invocation;
  /** True if the endpoint took it, with a 2xx in time. */
  isTaken: boolean;
  isSignedRightly: boolean;
};

/** An answer of a merchant that reached its network, and what the network made of it. */
export type Told = {
  time: number;
  network: 'provider_a' | 'provider_b';
  caseId: string;
  word: string;
  isFinal: boolean;
  taken: boolean;
};

/** A shop's requests under one `tid`, and each transaction that it received. */
export type Payment = {
  tid: string;
  action: 'PAYMENT' | 'PREAUTH';
  amount: string;
  /** The card's; absent: one that is approved. */
  number?: string;
  txids: Set<number>;
};
