import * as v from 'valibot';
import { signIn } from '#lib/local/demo/demo-calls.ts';
import { makeDemoMerchant, makePaymentSite, Site } from '#lib/local/demo/demo-sites.ts';
import { listReasons, playPage } from './play-page.ts';

const User = v.object({ username: v.string(), password: v.string() });

/** The tenant of the guides, with the names that the guides use. */
export const GuideTenant = v.object({ admin: User, merchant: User, site: Site, payment_site: Site });
export type GuideTenant = v.InferOutput<typeof GuideTenant>;

/** Creates a user who signs in with a password alone: an administrator, or the manager of a merchant. */
export type CreateUser = (username: string, mid: number | null) => Promise<v.InferOutput<typeof User>>;

/** Makes the tenant of the guides on a stage. `sink`: the address of the receiver, without a slash at its end. */
export const makeGuideTenant = async (url: string, sink: string, createUser: CreateUser): Promise<GuideTenant> => {
  const admin = await createUser('admin', null);
  const token = await signIn(url, admin);
  const { mid, site, payment_site } = await makeDemoMerchant(url, token, { clientId: 'guides', sink: `${sink}/demo` });
  return { admin, merchant: await createUser('demo', mid), site, payment_site };
};

/** Gives the tenant another payment site, so that the orders of an earlier run do not answer those of the next. */
export const renewPaymentSite = async (url: string, tenant: GuideTenant): Promise<GuideTenant> => ({
  ...tenant,
  payment_site: await makePaymentSite(url, await signIn(url, tenant.admin), tenant.site),
});

/** The result of a page. `problem`: null if it did what it says. `notRun`: the reasons for which some commands were left out. */
export type GuideResult = { page: string; problem: string | null; notRun: string[] };

type Where = { url: string; control: string; sink: string };

/** Runs the commands of a page on a stage and compares what they print. Returns undefined if the page has no commands. */
export const proveGuide = async (
  page: string,
  text: string,
  { url, control, sink }: Where,
): Promise<GuideResult | undefined> => {
  const notRun = listReasons(text, 'stage');
  const environment = { ...process.env, FOREWARN_URL: url, FOREWARN_CONTROL: control, FOREWARN_SINK: sink };
  try {
    const played = await playPage(text, 'stage', environment);
    if (!played) return notRun.length === 0 ? undefined : { page, problem: null, notRun };
    const wrong = played.outputs.find(({ expected, printed }) => !expected.test(printed));
    const problem = wrong ? `printed ${wrong.printed}, not ${wrong.expected.source}` : played.stderr || null;
    return { page, problem, notRun };
  } catch (error) {
    return { page, problem: error instanceof Error ? error.message : String(error), notRun };
  }
};

/** The results as lines for a report. */
export const guideLines = (results: readonly GuideResult[]): string[] =>
  results.flatMap(({ page, problem, notRun }) => [
    `${page}: ${problem === null ? 'does what it says' : `FAILED: ${problem}`}`,
    ...notRun.map((reason) => `  commands not run: ${reason}`),
  ]);
