import { type Client, createClient, type Playground } from './client.ts';
import type { Stage } from './stage.ts';
import { hold, stackTime } from './steps.ts';
import { type Begun, createThreeDsShop, type ThreeDsShop } from './three-ds-shop.ts';

type Personas = { client: Client; shop: ThreeDsShop; stage: Stage };

/** Of the sandbox's issuers: one asks for a code, the other says no at once. */
const asked = '4000100511192072';
const denied = '4000100511102113';
/** Seconds between two signed calls, so that each has a hash of its own. */
let signings = 0;

/** Plays a payer's authentication, from create3ds to a payment for which the issuer is liable; throws at the first step that fails. */
export const playThreeDsStory = async (playground: Playground, stage: Stage): Promise<void> => {
  const personas = { client: createClient(playground), shop: createThreeDsShop(playground), stage };
  const begun = await authenticationBegins(personas);
  await issuerAsks(personas, begun);
  await payerAnswers(personas, begun);
  await isPaid(personas, begun);
  await somebodyElse(personas);
  stage.quote(`With npm start running, try it in a browser: /sandbox/shop`);
};

const nextSecond = async (personas: Personas): Promise<number> => {
  signings += 1;
  return Math.floor(Date.parse(await stackTime(personas)) / 1000) + signings;
};
const authenticationJson = ({ authentication_id }: Begun): string => JSON.stringify({ authentication_id });

const authenticationBegins = async (personas: Personas): Promise<Begun> => {
  const { shop, stage } = personas;
  stage.scene('A shop’s server begins an authentication', await stackTime(personas));
  const begun = await shop.create(await nextSecond(personas));
  stage.rows([
    ['create3ds', `authentication ${begun.authentication_id}`],
    ['client token', `for the payer’s page alone, until ${begun.expires_at}`],
  ]);
  return begun;
};

const issuerAsks = async (personas: Personas, begun: Begun): Promise<void> => {
  const { shop, stage } = personas;
  stage.scene('The card is named, and its issuer wants to know more', await stackTime(personas));
  const started = await shop.start(begun, asked);
  const answered = await shop.authenticate(begun, asked);
  hold(started.step !== 'done' && answered.step === 'challenge', 'the issuer asks for a challenge');
  stage.rows([
    ['start', 'which version, and whether the issuer looks at the browser first'],
    ['authenticate', 'the issuer asks the payer for a code'],
  ]);
};

const payerAnswers = async (personas: Personas, begun: Begun): Promise<void> => {
  const { shop, stage } = personas;
  stage.scene('The payer types the code in the issuer’s page', await stackTime(personas));
  await shop.answerIssuer(begun, '000000');
  hold((await shop.status(begun)).step === 'challenge', 'a wrong code ends nothing');
  stage.trouble('000000: not right, two tries are left');
  await shop.answerIssuer(begun, '123456');
  const { outcome, three_d_secure } = await shop.status(begun);
  hold(outcome === 'authenticated' && three_d_secure === authenticationJson(begun), 'the payer is authenticated');
  stage.rows([['the page is told', `${outcome}, ${three_d_secure}`]]);
  const { eci, liability_shift } = await shop.details(begun);
  stage.rows([['the server, by get3ds', `ECI ${eci}, fraud is the issuer’s loss: ${liability_shift ? 'yes' : 'no'}`]]);
  stage.check('asked of the 3DS server: what the browser says is not believed');
};

const isPaid = async (personas: Personas, begun: Begun): Promise<void> => {
  const { shop, stage } = personas;
  stage.scene('The payment names it, and nothing else is believed', await stackTime(personas));
  const paid = await shop.pay(await nextSecond(personas), asked, authenticationJson(begun));
  hold('txid' in paid && paid.status === 'OK', 'the payment is made');
  hold((await shop.details(begun)).used_by_txid === ('txid' in paid ? paid.txid : 0), 'the authentication is used');
  stage.rows([['singletx', `OK, with authentication ${begun.authentication_id}`]]);
  const again = await shop.pay(await nextSecond(personas), asked, authenticationJson(begun));
  hold(again.error_code === 'authentication_mismatch', 'an authentication is used once');
  stage.check('a second payment with it: refused, 409 authentication_mismatch');
};

const somebodyElse = async (personas: Personas): Promise<void> => {
  const { shop, stage } = personas;
  stage.scene('Somebody with a card that is not theirs', await stackTime(personas));
  const begun = await shop.create(await nextSecond(personas));
  await shop.start(begun, denied);
  const { outcome } = await shop.authenticate(begun, denied);
  hold(outcome === 'not_authenticated', 'the issuer says no');
  const claim = JSON.stringify({ authentication_id: begun.authentication_id, transStatus: 'Y', eci: '05' });
  const refused = await shop.pay(await nextSecond(personas), denied, claim);
  hold(refused.error_code === 'authentication_failed', 'no payment is made');
  stage.trouble('their page claims transStatus Y and ECI 05');
  stage.check('looked up: not authenticated; the payment is EXC authentication_failed, and no processor was asked');
};
