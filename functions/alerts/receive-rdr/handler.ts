import { endpoint } from '../../core/http.ts';
import { signedWith } from '../intake/intake-signature-store.ts';
import { quarantining } from '../quarantine/quarantine-store.ts';
import { takeMessage } from '../quarantine/resubmit-store.ts';
import { receiveRdr } from './operation.ts';

export const handler = endpoint(receiveRdr, ({ sent }) => takeMessage('rdr', sent), {
  authenticate: signedWith('rdr'),
  onRefusal: quarantining('rdr'),
});
