import { expect } from 'vitest';
import type { DisputeEvidence } from '#payments/processors/ports/dispute.ts';

/** The response to a dispute with two files, as tests of processors submit it. */
export const receipt = {
  kind: 'receipt',
  name: 'receipt.pdf',
  type: 'application/pdf',
  bytes: Buffer.from('%PDF-1.7 a receipt'),
} as const;
export const parcel = {
  kind: 'shipping',
  name: 'parcel.png',
  type: 'image/png',
  bytes: Buffer.from('a parcel'),
} as const;

export const evidenceWith = (given: Partial<DisputeEvidence>): DisputeEvidence => ({
  customer: { name: 'Jenny Rosen', email: 'jenny.rosen@example.com', ip: '' },
  billingAddress: '1 Main Street, Springfield',
  shipping: { address: '1 Main Street, Springfield', carrier: 'UPS', date: '2026-05-01', trackingNumber: '1Z999' },
  productDescription: '1 × Tea',
  serviceDate: '',
  accessLog: '',
  statement: 'The parcel was delivered to the cardholder.',
  files: [receipt, parcel],
  renderLetter: () => expect.fail('The processor accepts the response as text'),
  compelling: null,
  ...given,
});

/** Sends as many requests as a process does before it ends. */
export const killAfter = <Given extends readonly unknown[], Answer>(
  requests: number,
  send: (...given: Given) => Promise<Answer>,
): ((...given: Given) => Promise<Answer>) => {
  let left = requests;
  return async (...given) => {
    if (left === 0) throw new Error('killed');
    left -= 1;
    return send(...given);
  };
};
