import { EntryAdded, EntryList, NewEntry } from './schemas.ts';

export const list = {
  method: 'POST',
  auth: 'bearer',
  permission: 'settings:read',
  errors: [],
} as const;

export const entries = { ...list, reply: EntryList, grants: { table: ['Query'] } } as const;

export const addition = {
  ...list,
  auth: 'admin',
  description: 'From then on it is listed and can be named when something is created.',
  body: NewEntry,
  reply: EntryAdded,
  grants: { table: ['UpdateItem', 'PutItem'] },
} as const;
