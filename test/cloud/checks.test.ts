import { describe, expect, it } from 'vitest';
import type { Operation } from '../../functions/core/operation.ts';
import { exceptions } from '../../lib/cloud/acknowledgements.ts';
import { fakeOperation, synthesize } from './synthesized.ts';

/** CloudFormation takes no more in one stack. */
const resourceLimit = 500;

describe('the rule packs', () => {
  it('find nothing but what is acknowledged', () => {
    expect(() => synthesize({ checks: true })).not.toThrow();
  });

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

  it.each(exceptions)('$id is acknowledged with a reason', ({ reason }) => {
    expect(reason).toMatch(/^[A-Z].{40,}\.$/);
  });
});

it('is the same, byte for byte, each time it is made', () => {
  expect(synthesize().text).toBe(synthesize().text);
});

describe('a service of a hundred operations', () => {
  const many = Array.from(
    { length: 100 },
    (_, index): Operation => fakeOperation({ name: `show-${index}`, path: `/things/{id}/${index}` }),
  );
  const { resources, ofType } = synthesize({ operations: many });

  it('fits one stack together with all that works behind it', () => {
    expect(resources.length).toBeLessThan(resourceLimit);
  });

  it('adds three resources for each', () => {
    const sizes = [60, 90].map((count) => synthesize({ operations: many.slice(0, count) }).resources.length);
    expect(sizes).toEqual([sizes[0], Number(sizes[0]) + 90]);
  });

  it('keeps each policy under what a managed policy may hold', () => {
    const sizes = ofType('AWS::IAM::ManagedPolicy').map(
      ({ properties }) =>
        JSON.stringify(properties['PolicyDocument']).replace(
          /\{"Fn::GetAtt":\["[^"]+","Arn"\]\}/g,
          `"${'x'.repeat('arn:aws:lambda:ap-southeast-1:123456789012:function:'.length + 64)}"`,
        ).length,
    );
    expect(Math.max(...sizes)).toBeLessThan(6144);
  });
});

it('cannot be made without an authorizer', () => {
  expect(() => synthesize({ operations: [fakeOperation()], workers: [] })).toThrow('No worker is the authorizer');
});
