import * as v from 'valibot';
import { describeField } from '#core/kernel/schema/field-words.ts';
import { Nested } from '#core/kernel/schema/schema.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { settings } from '../../declarations.ts';
import { threeDsServiceSettings, threeDsSettings } from '../../schemas.ts';
import { threeDsServerUrl, threeDsServerWords } from '../../settings/three-ds-server-address.ts';
import { webhookUrlRules } from '../../settings/url-rules.ts';

const { thirdparty_base_url: address } = threeDsServiceSettings;
const isProviders = (text = ''): boolean => threeDsServerUrl(text, webhookUrlRules()) !== undefined;
const savedServiceSettings = {
  ...threeDsServiceSettings,
  thirdparty_base_url: v.pipe(
    address,
    v.check(isProviders, threeDsServerWords),
    v.description('The address of the 3-D Secure server, one of its provider.'),
  ),
};

export const ThreeDsSettingsBody = v.object({
  settings: describeField(v.optional(Nested(threeDsSettings), {}), 'The settings of the site, by its type.'),
  servicesettings: describeField(
    v.optional(Nested(savedServiceSettings), {}),
    'Which 3DS server is asked, and how it is reached.',
  ),
});

export const setThreeDsSettingsOperation = defineOperation('merchants/set-three-ds-settings', {
  ...settings,
  permission: 'settings:secrets',
  siteKeys: 'named',
  summary: 'Make a site a 3DS site, or change its settings',
  path: '/api/v3/site/mid/{mid}/rid/{rid}/sid/{sid}/3ds',
  roles: ['manager'],
  body: ThreeDsSettingsBody,
  grants: { table: ['GetItem', 'PutItem'], secrets: ['encryption'] },
  variables: ['ALLOW_LOOPBACK_HTTP', 'EXTRA_WEBHOOK_PORTS'],
  diverts: 'secret',
  auditValues: {
    changed: {
      ...{ 'settings.merchantName': 'value', 'settings.mcc': 'value', 'settings.merchantCountryCode': 'value' },
      ...{ 'settings.purchaseCurrency': 'value', 'settings.signature': 'value' },
      ...{ 'servicesettings.three_ds_provider': 'value', 'servicesettings.wallet_base_url': 'host' },
      ...{ 'servicesettings.thirdparty_base_url': 'host', 'servicesettings.skip3d2': 'value' },
    },
  },
});
