import * as v from 'valibot';
import type { SampleStack, Values } from './sample-stack.ts';
import { stripeAccount } from './signatures.ts';

const Site = v.object({ sid: v.number() });
const Connected = v.object({ connections: v.tuple([v.object({ id: v.string() })]) });
const Begun = v.object({ back_test_id: v.string() });
const Import = v.object({ import_id: v.string() });
const Rule = v.object({ rule_id: v.number() });
const Rules = v.object({ list: v.array(Rule) });

const sampleRule = {
  name: 'A rule to look at',
  conditions: { all: [{ fact: 'amount', operator: 'lessThan', value: 25 }] },
  action: { type: 'notify' },
} as const;

/**
 * - `{{new_sid}}`: a new site of the demo retailer, without a type; `{{new_payment_sid}}`: a new payment site; `{{stripe_sid}}`: one that
 *   has an account at Stripe
 * - `{{stripe_connection_id}}`: a connection of that merchant to Stripe, which is never asked
 * - `{{connection_id}}`: the demo merchant's connection to the sandbox, as to a processor of its own
 * - `{{import_id}}`: an import of that connection
 * - `{{rule_id}}`: a new rule of the demo site, disabled; `{{rule_ids}}`: all its rules, separated by commas; `{{back_test_id}}`: a new
 *   back-test of them
 */
export const managementValues = ({ credentials: { site }, read, postAsMerchant }: SampleStack): Values => {
  const retailer = `/api/v3/site/mid/${site.mid}/rid/${site.rid}`;
  const askRules = (operation: string, body: object) =>
    postAsMerchant(`/api/v3/service_alerts/rules/${operation}`, { sid: site.sid, ...body });
  const newSite = async () =>
    String(v.parse(Site, await postAsMerchant(`${retailer}/create`, { name: 'A new site' })).sid);
  const newPaymentSite = async () => {
    const sid = await newSite();
    await postAsMerchant(`${retailer}/sid/${sid}/payment`, {});
    return sid;
  };
  const connect = async (connection: object): Promise<string> => {
    const set = await postAsMerchant(`/api/v3/merchant/${site.mid}/connections`, { connections: [connection] });
    return v.parse(Connected, set).connections[0].id;
  };
  return {
    new_sid: newSite,
    new_payment_sid: newPaymentSite,
    stripe_sid: async () => {
      const sid = await newPaymentSite();
      const routes = [{ processor: 'stripe', credentials: stripeAccount }];
      await postAsMerchant(`/api/v3/site/${sid}/processors`, { routes });
      return sid;
    },
    connection_id: () => connect({ kind: 'sandbox', label: 'Trial' }),
    import_id: async () => {
      const path = `/api/v3/merchant/${site.mid}/connections/${await read('connection_id')}/import`;
      return v.parse(Import, await postAsMerchant(path, {})).import_id;
    },
    stripe_connection_id: () =>
      connect({ kind: 'stripe', label: 'The shop', credentials: stripeAccount, active: false }),
    back_test_id: async () => v.parse(Begun, await askRules('back-test', { days: 1 })).back_test_id,
    rule_id: async () => String(v.parse(Rule, await askRules('create', { ...sampleRule, enabled: false })).rule_id),
    rule_ids: async () => {
      await read('rule_id');
      const { list } = v.parse(Rules, await askRules('list', {}));
      return list.map(({ rule_id }) => rule_id).join(',');
    },
  };
};
