import { join } from 'node:path';
import { operations } from '#functions/operations.ts';
import { workers } from '#functions/workers.ts';
import { createServiceApp } from '#lib/cloud/service-app.ts';

/** Settings whose templates differ: the defaults, a protected stage, its first deployment, and one with everything that is optional. */
const prod = {
  ...{
    stage: 'prod',
    operationsEmail: 'ops@shop.example',
    alertDomain: 'shop.example',
    mailFrom: 'alerts@shop.example',
  },
} as const;
const certificate = 'arn:aws:acm:eu-west-1:111111111111:certificate/12345678-1234-1234-1234-123456789012';
const settings: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  dev: {},
  prod,
  first: { ...prod, firstDeployment: 'true' },
  small: { stage: 'small', lambdaConcurrency: '10' },
  full: {
    ...prod,
    ...{ allowSandbox: 'true', providerAPull: 'true', monthlyBudget: '100', allAtOnce: 'true' },
    ...{ domainName: 'api.shop.example', certificateArn: certificate, hostedZoneId: 'Z0123456789ABC' },
    ...{ mutualTlsDomainName: 'mtls.shop.example', mutualTlsTruststore: 's3://truststore/authority.pem' },
    ...{ mutualTlsCertificateArn: certificate, mutualTlsProviders: 'provider_a' },
  },
};

/** Writes the templates of all settings below a folder and returns their folders. The code of the functions does not matter. */
export const synthesizeSettings = (folder: string): string[] =>
  Object.entries(settings).map(([name, context]) => {
    const outdir = join(folder, name);
    const bundleOf = (): string => join(process.cwd(), 'events/auth');
    createServiceApp({ operations, workers, bundleOf, outdir, context: { checks: 'off', ...context } }).synth();
    return outdir;
  });
