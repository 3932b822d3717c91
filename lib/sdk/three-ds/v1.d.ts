/** Native 3-D Secure for the page on which a payer pays. */

/** The card as the payer typed it. It is sent to the service twice and kept nowhere. */
export type Card = { number: string; expMonth: string | number; expYear: string | number; holder?: string };

export type WindowSize = '01' | '02' | '03' | '04' | '05';
export type Step = 'start' | 'method' | 'authenticate' | 'challenge' | 'done';
export type TransStatus = 'Y' | 'A' | 'N' | 'U' | 'R' | 'I';

export type Outcome =
  | 'authenticated'
  | 'attempted'
  | 'informational'
  | 'not_authenticated'
  | 'rejected'
  | 'unavailable'
  | 'canceled'
  | 'timed_out';

export type Result = {
  authenticationId: string;
  outcome: Outcome;
  transStatus: TransStatus | null;
  /** True if the issuer is expected to bear fraud. The scheme decides. */
  liabilityShift: boolean;
  /** For `threeDSecure` of singletx, as it is. */
  threeDSecure: string;
  /** The issuer's text for the payer. */
  cardholderInfo: string | null;
};

/** The texts around the issuer's page. */
export type Labels = {
  title: string;
  /** Names the issuer's page to those who do not see it. */
  frame: string;
  waiting: string;
  cancel: string;
  confirm: string;
  stop: string;
  goOn: string;
};

export type PrepareOptions = {
  clientToken: string;
  card: Card;
  /** Where the service is; default: where this script comes from. */
  baseUrl?: string;
};

export type AuthenticateOptions = PrepareOptions & {
  /** Where the issuer's page is to stand; absent: in a dialog over the page. */
  container?: HTMLElement;
  /**
   * Default: 03 (500 by 600) where the window is 640 pixels wide or wider, else 05 (all of it). A size that is wider than the
   * window becomes the widest that fits.
   */
  windowSize?: WindowSize;
  labels?: Partial<Labels>;
  /** Ends the authentication as canceled, in whichever step it is. */
  signal?: AbortSignal;
  /** The time that the payer may spend at the issuer, 300 to 1800; default 600. */
  challengeSeconds?: number;
  onStep?: (step: Step) => void;
};

/** `bad_option`: the call is wrong; `client_token_wrong`: start again with create3ds; `network`: the service cannot be reached. */
export type ErrorCode = 'bad_option' | 'client_token_wrong' | 'network';

export declare class ForewarnError extends Error {
  readonly code: ErrorCode;
}

/** Has the issuer get ready while the payer still looks at the page. Optional; call it as soon as the card is typed. */
export declare function prepare(options: PrepareOptions): Promise<void>;

/** Authenticates the payer. Resolves with any result; rejects with a ForewarnError only where the call is wrong. */
export declare function authenticate(options: AuthenticateOptions): Promise<Result>;

export declare const version: string;
