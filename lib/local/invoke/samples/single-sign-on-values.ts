import * as v from 'valibot';
import { testClient } from '../../control/test-issuer.ts';
import type { SampleStack, Values } from './sample-stack.ts';

const Begun = v.object({ url: v.string() });

/** The settings with which a merchant uses the test issuer of a stack. */
export const testIssuerSettings = (url: string) => ({
  issuer: `${url}/_local/oidc`,
  client_id: testClient.id,
  client_secret: testClient.secret,
  domains: ['demo.example'],
  role_values: { analyst: ['forewarn-analysts'], developer: [], manager: ['forewarn-managers'] },
});

/**
 * Begins a sign-in of a merchant’s person, or of an operator with `mid` null, at the test issuer: what the browser keeps, and where it is
 * sent.
 */
export const beginAtTestIssuer = async (url: string, mid: number | null, fresh = false) => {
  const headers = { 'content-type': 'application/json', origin: url };
  const body = JSON.stringify({ ...(mid !== null && { mid }), fresh });
  const response = await fetch(`${url}/api/v3/session/sso/begin`, { method: 'POST', headers, body });
  const begun = v.parse(Begun, await response.json());
  const cookie = /forewarn-sso=([^;]+)/.exec(response.headers.get('set-cookie') ?? '')?.[1] ?? '';
  return { cookie, url: begun.url, state: new URL(begun.url).searchParams.get('state') ?? '' };
};

/** Chooses a person on the page of the test issuer: the code that goes back. */
export const chooseAtTestIssuer = async (address: string, name: string): Promise<string> => {
  const page = await (await fetch(address)).text();
  const link = page.split('<li>').find((part) => part.includes(`>${name}<`)) ?? '';
  return /[?&;]code=([\w-]+)/.exec(link)?.[1] ?? '';
};

/** `{{sso_state}}`, `{{sso_code}}`, `{{sso_cookie}}`: a sign-in at the test issuer; `{{sso_mid}}`: the merchant that uses it. */
export const singleSignOnValues = ({ url, credentials: { site }, read, postAsMerchant }: SampleStack): Values => {
  const Kept = v.object({ cookie: v.string(), url: v.string(), state: v.string() });
  const begunOf = async () => v.parse(Kept, JSON.parse(await read('sso_begun')));
  return {
    sso_mid: async () => {
      await postAsMerchant(`/api/v3/merchant/${site.mid}/sso`, testIssuerSettings(url));
      return String(site.mid);
    },
    sso_begun: async () => JSON.stringify(await beginAtTestIssuer(url, Number(await read('sso_mid')))),
    sso_state: async () => (await begunOf()).state,
    sso_cookie: async () => (await begunOf()).cookie,
    sso_code: async () => chooseAtTestIssuer((await begunOf()).url, 'Mia Manager'),
  };
};
