import { endpoint } from '#core/platform/http/http.ts';
import { crossFacets } from '#core/platform/lists/listing.ts';
import { readPage } from '#core/platform/lists/listing-store.ts';
import { signingProviderNames } from '#disputes/providers/providers.ts';
import { quarantineStates } from '../../quarantine/quarantine.ts';
import { type QuarantinedSummary, quarantineEntity } from '../../quarantine/quarantine-row.ts';
import { listQuarantineOperation } from './operation.ts';

export const handler = endpoint(listQuarantineOperation, ({ body: { state, provider, ...page } }) =>
  readPage<QuarantinedSummary>({
    entity: quarantineEntity,
    scopeIndex: 1,
    scope: 'all',
    facets: state || provider ? crossFacets(state ?? quarantineStates, provider ?? signingProviderNames) : undefined,
    ...page,
  }),
);
