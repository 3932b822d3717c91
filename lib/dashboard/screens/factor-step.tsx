import { signal } from '@preact/signals';
import { compose, translate } from '../language/translate.ts';
import { Button } from '../parts/button.tsx';
import { Copy } from '../parts/copy.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Field } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { useLoad } from '../parts/load.ts';
import { saveFile } from '../parts/save-file.ts';
import { Trouble } from '../parts/trouble.tsx';
import { PasskeyButton } from './passkey-button.tsx';

/** The service's request for a code; `setup` where an app must be set up first. */
export type FactorAsked = { challenge: string; passkey?: boolean; setup?: { secret: string; uri: string } };

type StepProps = {
  asked: FactorAsked;
  submit: (fields: Record<string, string>) => Promise<void>;
  /** Replaces the button's words during a wait. */
  wait?: string;
};

/** Takes the code of a person's app; shows first how to set one up where they have none. */
export const FactorStep = ({ asked: { challenge, passkey, setup }, submit, wait }: StepProps) => (
  <div class="stack" ref={focusFirst}>
    {passkey && <PasskeyButton words={translate('Use your passkey')} challenge={challenge} />}
    {setup ? (
      <SetUp {...setup} />
    ) : (
      <p>
        {passkey
          ? translate('Or type the code of your authenticator app, or a recovery code.')
          : translate(
              'Open your authenticator app and type the code it shows for Forewarn. A recovery code works too.',
            )}
      </p>
    )}
    <Form onSend={submit} send={wait ?? translate('Continue')} isDisabled={wait !== undefined}>
      {(problems) => (
        <Field
          label={translate('Code')}
          name="code"
          autoComplete="one-time-code"
          inputMode={setup ? 'numeric' : 'text'}
          autoCapitalize="none"
          spellcheck={false}
          required
          maxLength={20}
          problem={problems['code']}
        />
      )}
    </Form>
  </div>
);

/** The step before it had the focus, and is gone. */
const focusFirst = (element: HTMLElement | null): void => element?.querySelector('input')?.focus();

const SetUp = ({ secret, uri }: { secret: string; uri: string }) => (
  <>
    <p>{translate('Scan this QR code with an authenticator app, then type the six digits that the app shows.')}</p>
    <QrCode text={uri} />
    <p class="small">
      {compose('Or type this key into the app: {span} {copy}', {
        span: <span class="code">{secret.replace(/(.{4})/g, '$1 ').trim()}</span>,
        copy: <Copy text={secret} label={translate('Copy the key')} />,
      })}
    </p>
  </>
);

/** Drawn as a path: no markup is made of text here. */
const QrCode = ({ text }: { text: string }) => {
  const { data, error } = useLoad(text, async () => (await import('uqr')).encode(text, { border: 2 }));
  if (!data) return <Trouble error={error} />;
  const path = data.data
    .flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
    .join('');
  return (
    <svg
      class="qr"
      viewBox={`0 0 ${data.size} ${data.size}`}
      role="img"
      aria-label={translate('QR code of the key below')}
    >
      <path d={path} />
    </svg>
  );
};

const shown = signal<readonly string[] | null>(null);

/** The codes for when the app is lost, which are shown this once. */
export const RecoveryCodes = () => {
  const codes = shown.value;
  if (!codes) return null;
  const close = () => {
    shown.value = null;
  };
  return (
    <Dialog title={translate('Your recovery codes')} onClose={close}>
      <p>
        {translate(
          'Each code signs you in once when you do not have your app. Keep them where only you can find them: they will not be shown again.',
        )}
      </p>
      <ul class="codes code">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div class="buttons">
        <Button look="main" onPress={close}>
          {translate('I have saved them')}
        </Button>
        <Button onPress={() => saveFile('forewarn-recovery-codes.txt', `${codes.join('\r\n')}\r\n`, 'text/plain')}>
          {translate('Save as a file')}
        </Button>
        <Copy text={codes.join('\n')} label={translate('Copy the codes')} />
      </div>
    </Dialog>
  );
};
RecoveryCodes.show = (codes: readonly string[]): void => {
  shown.value = codes;
};
