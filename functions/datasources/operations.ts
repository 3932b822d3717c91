import { defineOperation } from '../core/operation.ts';
import {
  CountryList,
  CurrencyList,
  EntryAdded,
  EntryList,
  FraudTemplateAdded,
  NewEntry,
  NewFraudTemplate,
  PaymentMethodList,
} from './schemas.ts';

const list = {
  area: 'datasources',
  method: 'POST',
  auth: 'bearer',
  errors: [],
} as const;

const entries = { ...list, reply: EntryList, grants: { table: ['Query'] } } as const;

const addition = {
  ...list,
  auth: 'admin',
  description: 'It is listed, and can be named at creation, from then on.',
  body: NewEntry,
  reply: EntryAdded,
  grants: { table: ['UpdateItem', 'PutItem'] },
} as const;

export const listCountries = defineOperation({
  ...list,
  name: 'list-countries',
  summary: 'Countries and their codes (ISO 3166-1)',
  description: 'Every country of ISO 3166-1 with its two- and three-letter code, its number and its English name.',
  path: '/api/v3/datasource/country',
  reply: CountryList,
  grants: {},
});

export const listCurrencies = defineOperation({
  ...list,
  name: 'list-currencies',
  summary: 'Supported currencies and their codes (ISO 4217)',
  description: 'Every currency of ISO 4217 with its code, its number and how many decimals it has.',
  path: '/api/v3/datasource/defaultcurrency',
  reply: CurrencyList,
  grants: {},
});

export const listPaymentMethods = defineOperation({
  ...list,
  name: 'list-payment-methods',
  summary: 'Supported payment methods',
  description: 'The values of `paymethod` and `card_type`.',
  path: '/api/v3/datasource/paymentmethods',
  reply: PaymentMethodList,
  grants: {},
});

export const listFraudTemplates = defineOperation({
  ...entries,
  name: 'list-fraud-templates',
  summary: 'Fraud templates',
  description: "Their ids go into `ftid` of a payment site's settings.",
  path: '/api/v3/datasource/fraudtemplate',
});

export const listResellers = defineOperation({
  ...entries,
  name: 'list-resellers',
  summary: 'Resellers',
  description: 'Their ids go into `reseller_id` of a site.',
  path: '/api/v3/datasource/reseller',
});

export const listSupportGroups = defineOperation({
  ...entries,
  name: 'list-support-groups',
  summary: 'Support groups',
  description: 'Their ids go into `support_group` of a site.',
  path: '/api/v3/datasource/supportgroup',
});

export const listThemes = defineOperation({
  ...entries,
  name: 'list-themes',
  summary: 'Themes',
  description: 'Their ids go into `themeid` of a merchant.',
  path: '/api/v3/datasource/theme',
});

export const listSiteCategories = defineOperation({
  ...entries,
  name: 'list-site-categories',
  summary: 'Site categories',
  description: 'Their ids go into `cat_id` of a site.',
  path: '/api/v3/datasource/sitecategory',
});

export const addFraudTemplate = defineOperation({
  ...addition,
  name: 'add-fraud-template',
  summary: 'Add a fraud template',
  description:
    'It is listed, and can be named as `ftid`, from then on. Without content it has the local scorer, no rules and the usual ' +
    'thresholds. What it holds is its version 1.',
  body: NewFraudTemplate,
  reply: FraudTemplateAdded,
  path: '/api/v3/datasource/fraudtemplate/add',
});

export const addReseller = defineOperation({
  ...addition,
  name: 'add-reseller',
  summary: 'Add a reseller',
  path: '/api/v3/datasource/reseller/add',
});

export const addSupportGroup = defineOperation({
  ...addition,
  name: 'add-support-group',
  summary: 'Add a support group',
  path: '/api/v3/datasource/supportgroup/add',
});

export const addTheme = defineOperation({
  ...addition,
  name: 'add-theme',
  summary: 'Add a theme',
  path: '/api/v3/datasource/theme/add',
});

export const addSiteCategory = defineOperation({
  ...addition,
  name: 'add-site-category',
  summary: 'Add a site category',
  path: '/api/v3/datasource/sitecategory/add',
});

export const dataSourceOperations = [
  listCountries,
  listCurrencies,
  listPaymentMethods,
  listFraudTemplates,
  listResellers,
  listSupportGroups,
  listThemes,
  listSiteCategories,
  addFraudTemplate,
  addReseller,
  addSupportGroup,
  addTheme,
  addSiteCategory,
] as const;
