import { useState } from 'preact/hooks';
import type { notificationRequestOperation as RequestOperation } from '#messaging/webhooks/api/request/operation.ts';
import { type ReplyOf, remote } from '../app/client.ts';
import { say } from '../app/messages.tsx';
import { translate } from '../language/translate.ts';
import { Button } from '../parts/button.tsx';
import { Copy } from '../parts/copy.tsx';
import { Dialog } from '../parts/dialog.tsx';

const notificationRequest = remote<typeof RequestOperation>({
  path: '/api/v3/notifications/{id}/request',
  roles: ['developer', 'manager'],
});
type Request = ReplyOf<typeof RequestOperation>;

/** For shells: nothing between single quotes means anything to them. */
const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

const writeCurl = ({ url, headers, body, token_set }: Request): string =>
  [
    `curl ${quote(url ?? 'https://your.endpoint.example')}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
    ...(token_set ? [`-H ${quote('authorization: Bearer YOUR_TOKEN')}`] : []),
    `--data-binary ${quote(body)}`,
  ].join(' \\\n  ');

/** The notification as a command, signed for the next five minutes: to try out a receiver without us. */
export const AsCurl = ({ id }: { id: string }) => {
  const [text, setText] = useState<string>();
  if (!notificationRequest.isAllowed()) return null;
  const ask = async () => {
    try {
      setText(writeCurl(await notificationRequest({ params: { id } })));
    } catch (error) {
      say(error instanceof Error ? error.message : String(error), 'bad');
    }
  };
  return (
    <>
      <Button onPress={ask}>{translate('As curl')}</Button>
      {text !== undefined && (
        <Dialog title={translate('As a curl command')} isWide onClose={() => setText(undefined)}>
          <p>
            {translate('Signed just now: the signature verifies for five minutes. Nothing is sent until you run it.')}
          </p>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys */}
          <pre tabIndex={0}>{text}</pre>
          <p>
            <Copy text={text} label={translate('Copy the command')} /> {translate('Copy it')}
          </p>
        </Dialog>
      )}
    </>
  );
};
