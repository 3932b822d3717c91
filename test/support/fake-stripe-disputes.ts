import { nowMilliseconds } from '../../functions/core/clock.ts';
import { StripeRefused as Refused } from './fake-stripe-charges.ts';

/** What a stand-in of Stripe has of disputes: as strict as https://docs.stripe.com/api/disputes. */

type Json = Record<string, unknown>;
export type FakeDispute = Json & {
  id: string;
  object: 'dispute';
  amount: number;
  currency: string;
  status: string;
  payment_intent: string;
};
type Paid = { id: string; amount: number; currency: string; latest_charge?: unknown };

const over = ['won', 'lost', 'warning_closed'];

export class FakeDisputes {
  readonly disputes = new Map<string, FakeDispute>();

  /** An issuer disputes a payment; answers what a webhook shows. */
  open({ id, amount, currency, latest_charge }: Paid, change: Json = {}): FakeDispute {
    const created = Math.floor(nowMilliseconds() / 1000);
    const dispute: FakeDispute = {
      id: `dp_3Fake${String(this.disputes.size + 1).padStart(12, '0')}`,
      object: 'dispute',
      ...{ amount, currency, status: 'needs_response', reason: 'fraudulent', created, payment_intent: id },
      charge: (latest_charge as { id: string } | null)?.id ?? 'ch_unknown',
      evidence_details: { due_by: created + 7 * 86_400, has_evidence: false, submission_count: 0 },
      payment_method_details: { type: 'card', card: { brand: 'visa', network_reason_code: '10.4' } },
      ...change,
    };
    this.disputes.set(dispute.id, dispute);
    return dispute;
  }

  read(path: string): Json | undefined {
    const [, id] = /^\/v1\/disputes\/(\w+)$/.exec(path) ?? [];
    return id === undefined ? undefined : { ...this.#dispute(id) };
  }

  change(path: string, form: Json): Json | undefined {
    const [, id = '', verb] = /^\/v1\/disputes\/(\w+)(?:\/(\w+))?$/.exec(path) ?? [];
    if (id === '' || verb !== 'close') return undefined;
    if (Object.keys(form).length > 0)
      throw new Refused(400, { type: 'invalid_request_error', code: 'parameter_unknown' });
    const dispute = this.#dispute(id);
    if (over.includes(dispute.status)) {
      const message = 'This dispute is already closed.';
      throw new Refused(400, { type: 'invalid_request_error', message });
    }
    dispute.status = 'lost';
    return { ...dispute };
  }

  #dispute(id: string): FakeDispute {
    const dispute = this.disputes.get(id);
    if (dispute) return dispute;
    const message = `No such dispute: '${id}'`;
    throw new Refused(404, { type: 'invalid_request_error', code: 'resource_missing', message });
  }
}
