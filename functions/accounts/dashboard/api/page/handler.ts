import { endpoint } from '#core/platform/http/http.ts';
import { readAppFile } from '../../app-store.ts';
import { pageHeaders } from '../../serving.ts';
import { dashboardPage } from './operation.ts';

export const handler = endpoint(
  dashboardPage,
  async () => new TextDecoder().decode((await readAppFile('index.html')) ?? missing()),
  { headers: pageHeaders },
);

const missing = (): never => {
  throw new Error('The build left out the page of the dashboard');
};
