import { endpoint } from '#core/platform/http/http.ts';
import { objectOrigin } from '#core/platform/objects/object-address.ts';
import { readAppFile } from '../../app-store.ts';
import { appHeaders } from '../../serving.ts';
import { dashboardPageOperation } from './operation.ts';

export const handler = endpoint(
  dashboardPageOperation,
  async () => new TextDecoder().decode((await readAppFile('index.html')) ?? missing()),
  { headers: appHeaders(objectOrigin()) },
);

const missing = (): never => {
  throw new Error('The build left out the page of the dashboard');
};
