import { endpoint } from '#core/platform/http/http.ts';
import { toSingleSignOnDto } from '../../single-sign-on/single-sign-on-schemas.ts';
import { singleSignOnForCaller } from '../../single-sign-on/single-sign-on-store.ts';
import { singleSignOnDetailsOperation } from './operation.ts';

export const handler = endpoint(singleSignOnDetailsOperation, async ({ params: { mid }, caller, baseUrl }) =>
  toSingleSignOnDto(mid, await singleSignOnForCaller(mid, caller), baseUrl),
);
