import * as v from 'valibot';
import { BaseUrl, Environment, lastFour, OptionalSecret, printable, Secret } from '../credential-fields.ts';
import { defineProcessor } from '../declaration.ts';
import { nmiCurrency } from './nmi-currencies.ts';

const SecurityKey = Secret('must be a security key of NMI', /^\w{16,64}$/);

export const nmi = defineProcessor({
  credentials: v.object({
    security_key: SecurityKey,
    webhook_key: Secret('must be the signing key that the webhooks page of NMI shows', printable),
    environment: Environment,
    base_url: BaseUrl,
  }),
  connectionKeys: v.object({
    security_key: SecurityKey,
    webhook_key: OptionalSecret,
    environment: Environment,
    base_url: BaseUrl,
  }),
  identity: ({ security_key }) => [security_key],
  shown: ({ security_key, environment }) => ({ security_key: lastFour(security_key), environment }),
  currency: nmiCurrency,
});
