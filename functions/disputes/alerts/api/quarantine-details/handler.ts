import { endpoint } from '#core/platform/http/http.ts';
import { toQuarantinedDto } from '../../quarantine/quarantine-row.ts';
import { readQuarantined } from '../../quarantine/quarantine-store.ts';
import { quarantineDetailsOperation } from './operation.ts';

export const handler = endpoint(quarantineDetailsOperation, async ({ params: { id } }) => {
  const found = await readQuarantined(id);
  return { ...toQuarantinedDto(found), text: found.text };
});
