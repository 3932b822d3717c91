import { endpoint } from '../../core/http.ts';
import { signedWith } from '../intake/intake-signature-store.ts';
import { ingestAlert } from '../intake/intake-store.ts';
import { rdrToAlert } from '../intake/rdr.ts';
import { withdrawCase } from '../intake/withdrawal-store.ts';
import { receiveRdr } from './operation.ts';

export const handler = endpoint(
  receiveRdr,
  ({ body }) => (body.event === 'DELETE' ? withdrawCase('rdr', body.decisionId) : ingestAlert(rdrToAlert(body))),
  { authenticate: signedWith('rdr') },
);
