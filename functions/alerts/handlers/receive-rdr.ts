import { endpoint } from '../../core/http.ts';
import { signedWith } from '../intake-signature-store.ts';
import { takeNotice } from '../intake-store.ts';
import { receiveRdr } from '../operations.ts';
import { noticeOfRdr } from '../rdr.ts';
import { withdrawCase } from '../withdrawal-store.ts';

export const handler = endpoint(
  receiveRdr,
  ({ body }) => (body.event === 'DELETE' ? withdrawCase('rdr', body.decisionId) : takeNotice(noticeOfRdr(body))),
  { authenticate: signedWith('rdr') },
);
