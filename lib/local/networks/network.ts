import * as v from 'valibot';

/** The alert networks as the local stack plays them: strict, and with a memory. */

export type NetworkName = 'provider_a' | 'provider_b';
export const networkNames = ['provider_a', 'provider_b'] as const satisfies readonly NetworkName[];

export type NetworkRequest = {
  method: string;
  /** As it was called, scheme and host included. */
  url: URL;
  /** Names in lower case. */
  headers: Readonly<Record<string, string | undefined>>;
  body: string;
};

export type NetworkReply = { status: number; body: unknown; headers?: Readonly<Record<string, string>> };

/** The failure of a network; without `times`, until it is changed. */
export const NetworkFault = v.object({
  /** 200: the call is answered, and each case of it refused. */
  status: v.optional(v.pipe(v.number(), v.integer(), v.minValue(200), v.maxValue(599)), 200),
  times: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))),
  /** True if a refused call may be sent again. */
  recoverable: v.optional(v.boolean(), true),
  /** Only calls, or at provider_a parts of calls, about these cases. */
  cases: v.optional(v.array(v.string())),
  headers: v.optional(v.record(v.string(), v.string()), {}),
  /** Does what the call says, this much later. */
  delayMs: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(600_000)), 0),
  /** Does what the call says, and breaks off the connection instead of answering. */
  lost: v.optional(v.boolean(), false),
  /** At provider_a: refuses what its specification forbids, where its own pages say otherwise. */
  strict: v.optional(v.boolean(), false),
});
export type NetworkFault = v.InferOutput<typeof NetworkFault>;

/** Checks whether a fault still carries out the call: it is only late, or its answer is lost. */
export const isOnTheWay = ({ status, delayMs, lost }: NetworkFault): boolean => status === 200 && (lost || delayMs > 0);

/** The state of a case at a network. */
export type Standing = { outcome: string; isFinal: boolean };

/** One outcome that a network received about a case, and its answer. */
export type Told = { caseId: string; outcome: string; accepted: boolean; body: unknown; answer: unknown };

/** Where a network keeps what it knows. */
export type NetworkMemory = {
  standing(caseId: string): Standing | undefined;
  stand(caseId: string, standing: Standing): void;
  tell(told: Told): void;
  /** Alerts that were offered and are not acknowledged, oldest first. */
  pendingAlerts(size: number): unknown[];
  /** False for an alert that was never offered. */
  acknowledge(alertId: string): boolean;
  /** False for one that was used before. */
  useNonce(nonce: string): boolean;
};

export type Network = {
  /** `fault`: how it is to fail this time. */
  answer(request: NetworkRequest, memory: NetworkMemory, fault: NetworkFault | undefined): NetworkReply;
};

/** A case that no network knows, so that one can be tried. */
export const isUnknownCase = (caseId: string): boolean => caseId.startsWith('UNKNOWN');

/** Checks whether a network accepts another outcome of a case. The first final one is permanent, and may be repeated. */
export const takes = (standing: Standing | undefined, next: Standing): boolean =>
  !standing?.isFinal || (next.isFinal && next.outcome === standing.outcome);
