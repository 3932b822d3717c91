/* Runs in Postman before each call: signs in where the call needs a token, and signs the calls of sites. */
const variable = (name) => pm.variables.get(name) || '';

/* An API key, or a token that somebody has pasted, stays. */
const needsToken = () =>
  pm.request.auth?.type === 'bearer' &&
  variable('username') !== '' &&
  (variable('token') === '' || Number(variable('token_until') || Infinity) < Date.now());

const signIn = () => {
  const raw = JSON.stringify({ username: variable('username'), password: variable('password') });
  const call = {
    url: `${variable('url')}/api/v2/index.php/gettoken`,
    method: 'POST',
    header: { 'content-type': 'application/json' },
    body: { mode: 'raw', raw },
  };
  pm.sendRequest(call, (error, answer) => {
    if (error || answer.code !== 200) throw new Error(`gettoken: ${error || answer.text()}`);
    const { access_token, expires_in } = answer.json();
    pm.collectionVariables.set('token', access_token);
    pm.collectionVariables.set('token_until', String(Date.now() + (expires_in - 60) * 1000));
  });
};

/* The bytes that are signed are those that are sent: variables are replaced first. */
const sign = () => {
  const body = pm.request.method === 'GET' ? '' : pm.variables.replaceIn(pm.request.body?.raw ?? '');
  if (body !== '') pm.request.body.update({ mode: 'raw', raw: body, options: { raw: { language: 'json' } } });
  const seconds = Math.floor(Date.now() / 1000);
  const hash = require('crypto-js').HmacSHA256(`${seconds}.${body}`, variable('rcode')).toString();
  pm.request.headers.upsert({ key: 'x-signature', value: `t=${seconds},v1=${hash}` });
};

if (needsToken()) signIn();
if (pm.request.headers.has('x-signature') && variable('rcode') !== '') sign();
