import { describe, expect, it } from 'vitest';
import { exceptions } from '#lib/cloud/acknowledgements.ts';
import { fakeOperation, fakeReaders, serviceStack, synthesize } from './synthesized.ts';

describe('the rule packs', () => {
  // First, as it has resources of every type: what is read for them serves the other as well.
  it('find nothing in another stage, with every setting given', () => {
    const context = {
      stage: 'prod',
      alertDomain: 'shop.example',
      mailFrom: 'alerts@shop.example',
      operationsEmail: 'ops@shop.example',
      extraWebhookPorts: '9443',
      allowSandbox: 'true',
    };
    expect(() => synthesize({ checks: true, context })).not.toThrow();
  });

  it('find nothing but what is acknowledged', () => {
    expect(() => synthesize({ checks: true })).not.toThrow();
  });

  it.each(exceptions)('$id is acknowledged with a reason', ({ reason }) => {
    expect(reason).toMatch(/^[A-Z].{40,}\.$/);
  });
});

it('is the same, byte for byte, each time it is made', () => {
  expect(synthesize().text).toBe(serviceStack().text);
});

it('cannot be made without an authorizer', () => {
  expect(() => synthesize({ operations: [fakeOperation()], workers: fakeReaders })).toThrow(
    'No worker is the authorizer',
  );
});
