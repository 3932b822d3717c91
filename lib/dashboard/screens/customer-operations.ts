import type { customerDetailsOperation as DetailsOperation } from '#disputes/search/api/customer-details/operation.ts';
import type { noteCustomerOperation as NoteOperation } from '#disputes/search/api/note-customer/operation.ts';
import { link } from '../app/address.ts';
import { type ReplyOf, remote } from '../app/client.ts';

export const customerDetails = remote<typeof DetailsOperation>({ path: '/api/v3/customers' });
export type CustomerDto = ReplyOf<typeof DetailsOperation>;
export type PurchaseDto = CustomerDto['purchases'][number];

export const noteCustomer = remote<typeof NoteOperation>({
  path: '/api/v3/customers',
  method: 'PATCH',
  roles: ['analyst', 'manager'],
});

export type CustomerKind = 'purchase' | 'alert' | 'chargeback';

/** The address of the customer of a purchase, an alert or a chargeback: no address of a person is in it. */
export const customerLink = (kind: CustomerKind, id: string | number): string => link(`/customers/${kind}/${id}`);

/** Names the customer in a call, as the address of the page does. */
export const toSubject = (kind: string, id: string) =>
  kind === 'chargeback'
    ? { chargeback_id: id }
    : kind === 'alert'
      ? { alert_id: Number(id) }
      : { purchase_id: Number(id) };
