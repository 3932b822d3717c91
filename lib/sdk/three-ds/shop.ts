import type { ForewarnError, Result, Step } from './v1.d.ts';

/**
 * The script of the sandbox's shop (`/sandbox/shop`). It plays the merchant's page, for which the SDK is made, and the merchant's server
 * too: a real one signs its calls where its rcode cannot be seen.
 */

type Forewarn = {
  authenticate(options: object): Promise<Result>;
};
declare const forewarn: Forewarn;

type Site = { sid: string; rcode: string };
type Json = Record<string, unknown>;

const amount = '10.00';
const currency = 'USD';

const byId = (id: string): HTMLElement => {
  const element = document.getElementById(id);
  if (!element) throw new Error(`The page has no ${id}`);
  return element;
};
const input = (id: string): HTMLInputElement => byId(id) as HTMLInputElement;
const textIn = (id: string): string => input(id).value.trim();

/** Tells what happens. `details`: what was answered, as it was. */
const tell = (text: string, details?: unknown): void => {
  const item = document.createElement('li');
  item.textContent = text;
  if (details !== undefined) {
    const answer = document.createElement('pre');
    answer.textContent = JSON.stringify(details, null, 1);
    item.append(answer);
  }
  byId('steps').append(item);
};

const post = async (path: string, fields: Record<string, string>): Promise<Json> => {
  const response = await fetch(`../${path}`, { method: 'POST', body: new URLSearchParams(fields) });
  const body = (await response.json()) as Json;
  if (!response.ok) throw new Error(String(body['error_msg'] ?? body['details'] ?? body['msg'] ?? response.status));
  return body;
};

/** A call of the merchant's server, signed with the rcode of a site. */
const asServer = async ({ sid, rcode }: Site, operation: string, fields: Record<string, string>): Promise<Json> => {
  const { timestamp, hash } = await post('sandbox/shop/sign', { sid, rcode, amount, currency });
  const signed = { ...fields, currency, timestamp: String(timestamp), hash: String(hash) };
  return post(`api/v1/index.php/${sid}/${operation}`, signed);
};

const siteOf = (kind: 'three_ds' | 'payment'): Site => ({
  sid: textIn(`${kind}_sid`),
  rcode: textIn(`${kind}_rcode`),
});

const cardFields = () => ({
  card_no: textIn('number').replace(/\D/g, ''),
  card_exp_month: textIn('month'),
  card_exp_year: textIn('year'),
});

const begin = async (): Promise<Json> => {
  const fields = { amount, page_origin: location.origin, email: 'ada@example.com' };
  const begun = await asServer(siteOf('three_ds'), 'create3ds', fields);
  tell('The server began an authentication (create3ds).', { authentication_id: begun['authentication_id'] });
  return begun;
};

const words: Record<Step, string> = {
  start: 'The page named the card.',
  method: 'The bank looks at the browser.',
  authenticate: 'The bank is asked.',
  challenge: 'The bank wants to know more.',
  done: 'The bank has answered.',
};

const authenticate = (clientToken: string): Promise<Result> => {
  const { card_no: number, card_exp_month: expMonth, card_exp_year: expYear } = cardFields();
  return forewarn.authenticate({
    clientToken,
    card: { number, expMonth, expYear, holder: textIn('holder') },
    ...(input('inline').checked && { container: byId('bank'), windowSize: '01' }),
    onStep: (step: Step) => tell(words[step]),
  });
};

const pay = ({ threeDSecure }: Result): Promise<Json> =>
  asServer(siteOf('payment'), 'singletx', {
    ...cardFields(),
    card_type: textIn('number').startsWith('5') ? 'MASTERCARD' : 'VISA',
    card_ccv: textIn('cvv'),
    card_name: textIn('holder'),
    ...{ firstname: 'Ada', lastname: 'Example', email: 'ada@example.com' },
    ...{ 'item_name[]': 'Tea', 'item_amount_unit[]': amount, tx_action: 'PAYMENT' },
    ...{ postback_url: textIn('postback_url'), threeDSecure },
  });

const end = (text: string, isGood: boolean): void => {
  byId('end').textContent = text;
  byId('end').className = isGood ? 'good' : 'bad';
};

const run = async (): Promise<void> => {
  const { client_token } = await begin();
  const result = await authenticate(String(client_token));
  tell(`The payer is ${result.outcome.replace('_', ' ')}.`, result);
  if (result.cardholderInfo) tell(`The bank says: ${result.cardholderInfo}`);
  const paid = await pay(result);
  tell('The server paid (singletx).', paid);
  const isPaid = paid['status'] === 'OK';
  end(isPaid ? 'Paid. Enjoy your tea.' : `Not paid: ${String(paid['error_msg'])}.`, isPaid);
};

const form = byId('pay') as HTMLFormElement;
const button = byId('button') as HTMLButtonElement;
const sites = byId('sites') as HTMLDetailsElement;

const submit = async (): Promise<void> => {
  if ([...form.elements].some((one) => one instanceof HTMLInputElement && !one.checkValidity())) {
    if (sites.querySelector(':invalid')) sites.open = true;
    form.reportValidity();
    return;
  }
  byId('steps').replaceChildren();
  end('', true);
  button.disabled = true;
  try {
    await run();
  } catch (error) {
    end((error as ForewarnError).message, false);
  }
  button.disabled = false;
  button.focus();
};

form.addEventListener('submit', (event) => {
  event.preventDefault();
  void submit();
});
const choose = (): void => {
  input('number').value = (byId('card') as HTMLSelectElement).value;
};
byId('card').addEventListener('change', choose);
choose();
input('year').value = String(new Date().getFullYear() + 3);

/** The local stack tells whoever asks what the sites of its demo are; elsewhere it is typed. */
const fillSites = async (): Promise<void> => {
  const response = await fetch('../_local/credentials').catch(() => undefined);
  if (!response?.ok) {
    sites.open = true;
    return;
  }
  const known = (await response.json()) as Record<string, Site>;
  for (const kind of ['three_ds', 'payment'] as const) {
    input(`${kind}_sid`).value = String(known[`${kind}_site`]?.sid ?? '');
    input(`${kind}_rcode`).value = known[`${kind}_site`]?.rcode ?? '';
  }
  input('postback_url').value = new URL('../_local/sink/shop', location.href).href;
};
// A payer who pays before the sites are known would be asked for them.
button.disabled = true;
void fillSites().finally(() => {
  button.disabled = false;
});
