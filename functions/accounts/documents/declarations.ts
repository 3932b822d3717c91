import * as v from 'valibot';

export const documentPage = {
  area: 'documents',
  method: 'GET',
  auth: 'public',
  reply: v.string(),
  errors: [],
  grants: {},
  onlyWhere: 'allowDocs',
} as const;
