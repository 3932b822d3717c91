import { useEffect, useState } from 'preact/hooks';
import { answerInAddress, finishSingleSignOn, goToIdentityProvider, merchantOfLink } from '../app/single-sign-on.ts';
import { translate } from '../language/translate.ts';
import { Button } from '../parts/button.tsx';
import { Field } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { Trouble } from '../parts/trouble.tsx';

/** Signs in at the merchant's identity provider if it is open, and in any case accepts the provider's answer. */
export const SingleSignOnStep = ({ isOpen }: { isOpen: boolean }) => {
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    if (answerInAddress()) finishSingleSignOn().catch(setError);
  }, []);
  const send = ({ mid = '' }: Record<string, string>) => goToIdentityProvider(Number(mid));
  const isForOperators = merchantOfLink() === 'operators';
  return (
    <div class="stack">
      <Trouble error={error} />
      {isOpen && !isForOperators && (
        <Form onSend={send} send={translate('Go to your identity provider')}>
          {(problems) => (
            <Field
              label={translate('Merchant number')}
              name="mid"
              inputMode="numeric"
              pattern="[0-9]+"
              required
              defaultValue={merchantOfLink()}
              hint={translate('Your manager knows it. It is also in the link for single sign-on.')}
              problem={problems['mid']}
            />
          )}
        </Form>
      )}
      {isOpen && (
        <Button look={isForOperators ? 'main' : 'bare'} onPress={() => goToIdentityProvider(null).catch(setError)}>
          {translate('Sign in as an operator of this service')}
        </Button>
      )}
    </div>
  );
};
