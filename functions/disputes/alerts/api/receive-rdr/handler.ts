import { endpoint } from '#core/platform/http/http.ts';
import { rdr } from '#disputes/providers/rdr.ts';
import { ingestMessage } from '../../intake/ingest-store.ts';
import { requireSignature } from '../../intake/intake-signature-store.ts';
import { quarantining } from '../../quarantine/quarantine-store.ts';
import { receiveRdrOperation } from './operation.ts';

export const handler = endpoint(receiveRdrOperation, ({ sent }) => ingestMessage(rdr.name, sent), {
  authenticate: requireSignature(rdr.secret),
  onRefusal: quarantining(rdr.name),
});
