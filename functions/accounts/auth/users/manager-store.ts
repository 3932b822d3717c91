import { listPeople } from './people-store.ts';

/** The distinct e-mail addresses of a merchant's managers. */
export const managerAddresses = async (mid: number): Promise<string[]> => {
  const managers = (await listPeople(mid)).filter(({ role, email }) => role === 'manager' && email !== '');
  return [...new Set(managers.map(({ email }) => email))];
};
