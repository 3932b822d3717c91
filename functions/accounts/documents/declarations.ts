import * as v from 'valibot';

export const documentPage = {
  method: 'GET',
  auth: 'public',
  reply: v.string(),
  errors: [],
  grants: {},
  onlyWhere: 'allowDocs',
} as const;
