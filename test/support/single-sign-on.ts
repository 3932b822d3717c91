import {
  beginAtTestIssuer,
  chooseAtTestIssuer,
  testIssuerSettings,
} from '#lib/local/invoke/samples/single-sign-on-values.ts';
import type { TestStack } from './stack.ts';

/** A sign-in at the test issuer of a stack, up to the code: what the page then sends. `mid` null: of an operator. */
const chooseAt = async ({ url }: TestStack, mid: number | null, name: string, fresh: boolean) => {
  const { cookie, url: address, state } = await beginAtTestIssuer(url, mid, fresh);
  const code = await chooseAtTestIssuer(address, name);
  return { headers: { cookie: `forewarn-sso=${cookie}`, origin: url }, body: { state, code } };
};

/** Signs an operator in at the test issuer of a stack. */
export const signInOperator = async (service: TestStack, name: string, fresh = false) =>
  service.call('/api/v3/session/sso', await chooseAt(service, null, name, fresh));

/** Sign-ins of the demo merchant's people at the test issuer of a stack. */
export const testIssuerOf = (service: TestStack) => {
  const { mid } = service.credentials.site;
  const path = `/api/v3/merchant/${mid}/sso`;
  const save = async (change: object = {}): Promise<void> => {
    const body = { ...testIssuerSettings(service.url), ...change };
    const { status, text } = await service.call(path, { token: await service.tokenOf('merchant'), body });
    if (status !== 200) throw new Error(text);
  };
  const choose = (name: string, fresh = false) => chooseAt(service, mid, name, fresh);
  const signIn = async (name: string, fresh = false) => service.call('/api/v3/session/sso', await choose(name, fresh));
  return { mid, save, choose, signIn };
};
