import { describe, expect, it } from 'vitest';
import { exceptions } from '#lib/cloud/accepted-findings.ts';
import { useCommand } from '#test/support/command.ts';
import { fakeOperation, fakeReaders, serviceStack, synthesize } from './synthesized.ts';

const checkCloud = useCommand('bin/check-cloud.ts');

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

it('is reported to programs stage by stage', async () => {
  const { out } = await checkCloud(['--quick', '--json']);
  const stages = out.trim().split('\n');
  expect(stages.map((line) => JSON.parse(line))).toEqual([
    {
      settings: expect.objectContaining({ stage: 'prod', firstDeployment: 'true' }),
      resources: expect.any(Number),
      findings: [],
      nearly_used: expect.any(Array),
      quotas: expect.arrayContaining([expect.objectContaining({ what: 'resources of the API', quota: 300 })]),
    },
  ]);
});
