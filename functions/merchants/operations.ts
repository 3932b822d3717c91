import { defineOperation } from '../core/operation.ts';
import {
  AlertSettingsBody,
  MerchantCreated,
  MerchantDetails,
  MidPath,
  NewMerchant,
  NewRetailer,
  NewSite,
  NewSitePath,
  PaymentSettingsBody,
  RcodeRotated,
  RetailerCreated,
  RetailerDetails,
  RidPath,
  SettingsSaved,
  SidPath,
  SigningSecretRotated,
  SiteCreated,
  SiteDetails,
  SiteList,
  SiteListBody,
  SitePath,
  ThreeDsSettingsBody,
} from './schemas.ts';

const area = 'merchants';
const method = 'POST';

export const createMerchant = defineOperation({
  area,
  name: 'create-merchant',
  summary: 'Create a merchant',
  description: 'Merchants come first: retailers and sites are made under them. For administrators.',
  method,
  path: '/api/v3/merchant/create',
  auth: 'admin',
  body: NewMerchant,
  reply: MerchantCreated,
  errors: [],
  grants: { table: ['BatchGetItem', 'UpdateItem', 'PutItem'] },
});

export const merchantDetails = defineOperation({
  area,
  name: 'merchant-details',
  summary: "Read a merchant's details",
  description: 'What it was created with, its id and since when it exists.',
  method,
  path: '/api/v3/merchant/{mid}/details',
  auth: 'bearer',
  params: MidPath,
  reply: MerchantDetails,
  errors: ['merchant_not_found'],
  grants: { table: ['GetItem'] },
});

export const createRetailer = defineOperation({
  area,
  name: 'create-retailer',
  summary: 'Create a retailer of a merchant',
  description: 'Under a merchant that exists; a site needs a retailer.',
  method,
  path: '/api/v3/retailer/mid/{mid}/create',
  auth: 'bearer',
  params: MidPath,
  body: NewRetailer,
  reply: RetailerCreated,
  errors: ['merchant_not_found'],
  grants: { table: ['GetItem', 'UpdateItem', 'PutItem'] },
});

export const retailerDetails = defineOperation({
  area,
  name: 'retailer-details',
  summary: "Read a retailer's details",
  description: 'What it was created with, its ids and since when it exists.',
  method,
  path: '/api/v3/retailer/{rid}/details',
  auth: 'bearer',
  params: RidPath,
  reply: RetailerDetails,
  errors: ['retailer_not_found'],
  grants: { table: ['GetItem'] },
});

export const createSite = defineOperation({
  area,
  name: 'create-site',
  summary: 'Create a site of a retailer',
  description: 'The answer is the only one that shows the rcode and the signing secret; both can be rotated.',
  method,
  path: '/api/v3/site/mid/{mid}/rid/{rid}/create',
  auth: 'bearer',
  params: NewSitePath,
  body: NewSite,
  reply: SiteCreated,
  errors: ['merchant_not_found', 'retailer_not_found'],
  grants: { table: ['BatchGetItem', 'UpdateItem', 'PutItem'], secrets: ['encryption'] },
});

export const siteDetails = defineOperation({
  area,
  name: 'site-details',
  summary: "Read a site's details and settings",
  description: 'Secrets among the settings are never shown.',
  method,
  path: '/api/v3/site/{sid}/details',
  auth: 'bearer',
  params: SidPath,
  reply: SiteDetails,
  errors: ['site_not_found'],
  grants: { table: ['GetItem'] },
});

export const listSites = defineOperation({
  area,
  name: 'list-sites',
  summary: 'List sites',
  description:
    "Newest first, those of the caller's merchant; an administrator sees all. Filtered by merchant, retailer and type.",
  method,
  path: '/api/v3/site/list',
  auth: 'bearer',
  body: SiteListBody,
  reply: SiteList,
  errors: [],
  grants: { table: ['GetItem'], indexes: ['list1', 'list1f', 'list2', 'list2f', 'list3', 'list3f'] },
});

const settings = {
  area,
  method,
  auth: 'bearer',
  params: SitePath,
  reply: SettingsSaved,
  description:
    "The first settings operation fixes the site's type for good; another type is refused from then on. " +
    'Of a site that has settings, the fields given replace the old ones and the others stay.',
  errors: ['site_not_found', 'site_type_fixed', 'changed_meanwhile'],
} as const;

export const setPaymentSettings = defineOperation({
  ...settings,
  name: 'set-payment-settings',
  summary: 'Make a site a payment site, or change its settings',
  path: '/api/v3/site/mid/{mid}/rid/{rid}/sid/{sid}/payment',
  body: PaymentSettingsBody,
  grants: { table: ['GetItem', 'PutItem'] },
});

export const setThreeDsSettings = defineOperation({
  ...settings,
  name: 'set-three-ds-settings',
  summary: 'Make a site a 3DS site, or change its settings',
  path: '/api/v3/site/mid/{mid}/rid/{rid}/sid/{sid}/3ds',
  body: ThreeDsSettingsBody,
  grants: { table: ['GetItem', 'PutItem'], secrets: ['encryption'] },
});

export const setAlertSettings = defineOperation({
  ...settings,
  name: 'set-alert-settings',
  summary: 'Make a site an alert site, or change its settings',
  path: '/api/v3/site/mid/{mid}/rid/{rid}/sid/{sid}/alert',
  body: AlertSettingsBody,
  grants: { table: ['GetItem', 'PutItem'], secrets: ['encryption'] },
  variables: ['ALLOW_LOOPBACK_HTTP', 'EXTRA_WEBHOOK_PORTS'],
});

const rotation = {
  area,
  method,
  auth: 'bearer',
  params: SidPath,
  description:
    'The one before stays valid for 24 hours. Two rotations at the same time: one of them is refused, so that neither ' +
    'pushes out what is in use.',
  errors: ['site_not_found', 'changed_meanwhile'],
} as const;

export const rotateRcode = defineOperation({
  ...rotation,
  name: 'rotate-rcode',
  summary: 'Give a site a new rcode',
  path: '/api/v3/site/{sid}/rcode/rotate',
  reply: RcodeRotated,
  grants: { table: ['GetItem', 'PutItem', 'DeleteItem'], secrets: ['encryption'] },
});

export const rotateSigningSecret = defineOperation({
  ...rotation,
  name: 'rotate-signing-secret',
  summary: 'Give a site a new signing secret',
  path: '/api/v3/site/{sid}/signing-secret/rotate',
  reply: SigningSecretRotated,
  grants: { table: ['GetItem', 'PutItem'], secrets: ['encryption'] },
});

export const merchantOperations = [
  createMerchant,
  merchantDetails,
  createRetailer,
  retailerDetails,
  createSite,
  siteDetails,
  listSites,
  setPaymentSettings,
  setThreeDsSettings,
  setAlertSettings,
  rotateRcode,
  rotateSigningSecret,
] as const;
