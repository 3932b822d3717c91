import {
  beginAtTestIssuer,
  chooseAtTestIssuer,
  testIssuerSettings,
} from '#lib/local/invoke/samples/single-sign-on-values.ts';
import type { TestStack } from './stack.ts';

/** Sign-ins of the demo merchant's people at the test issuer of a stack. */
export const testIssuerOf = (service: TestStack) => {
  const { mid } = service.credentials.site;
  const path = `/api/v3/merchant/${mid}/sso`;
  const save = async (change: object = {}): Promise<void> => {
    const body = { ...testIssuerSettings(service.url), ...change };
    const { status, text } = await service.call(path, { token: await service.tokenOf('merchant'), body });
    if (status !== 200) throw new Error(text);
  };
  /** A sign-in up to the code: what the page then sends. */
  const choose = async (name: string, fresh = false) => {
    const { cookie, url, state } = await beginAtTestIssuer(service.url, mid, fresh);
    const code = await chooseAtTestIssuer(url, name);
    return { headers: { cookie: `forewarn-sso=${cookie}`, origin: service.url }, body: { state, code } };
  };
  const signIn = async (name: string, fresh = false) => service.call('/api/v3/session/sso', await choose(name, fresh));
  return { mid, save, choose, signIn };
};
