import { endpoint } from '../../core/http.ts';
import { rdr, rdrToAlert } from '../../providers/rdr.ts';
import { signedWith } from '../intake/intake-signature-store.ts';
import { ingestAlert } from '../intake/intake-store.ts';
import { withdrawCase } from '../intake/withdrawal-store.ts';
import { receiveRdr } from './operation.ts';

export const handler = endpoint(
  receiveRdr,
  ({ body }) =>
    body.event === 'DELETE' ? withdrawCase(rdr.name, body.decisionId) : ingestAlert(rdr, rdrToAlert(body)),
  { authenticate: signedWith(rdr.secret) },
);
