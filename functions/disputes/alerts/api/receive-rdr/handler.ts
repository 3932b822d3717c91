import { endpoint } from '#core/platform/http/http.ts';
import { rdr } from '#disputes/providers/rdr.ts';
import { requireSignature } from '../../intake/intake-signature-store.ts';
import { quarantining } from '../../quarantine/quarantine-store.ts';
import { takeMessage } from '../../quarantine/resubmit-store.ts';
import { receiveRdr } from './operation.ts';

export const handler = endpoint(receiveRdr, ({ sent }) => takeMessage(rdr.name, sent), {
  authenticate: requireSignature(rdr.secret),
  onRefusal: quarantining(rdr.name),
});
