import { endpoint } from '../../core/http.ts';
import { signedWith } from '../intake/intake-signature-store.ts';
import { takeNotice } from '../intake/intake-store.ts';
import { noticeOfRdr } from '../intake/rdr.ts';
import { withdrawCase } from '../intake/withdrawal-store.ts';
import { receiveRdr } from './operation.ts';

export const handler = endpoint(
  receiveRdr,
  ({ body }) => (body.event === 'DELETE' ? withdrawCase('rdr', body.decisionId) : takeNotice(noticeOfRdr(body))),
  { authenticate: signedWith('rdr') },
);
