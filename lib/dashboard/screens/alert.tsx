import { useState } from 'preact/hooks';
import { lastLink } from '../app/address.ts';
import { useScreen } from '../app/screen.tsx';
import { translate } from '../language/translate.ts';
import { AlertPane } from './alert-pane.tsx';

/** One alert on its own page, to which e-mails and other screens link. */
export const AlertPage = ({ params: { id = '' } }: { params: Readonly<Record<string, string | undefined>> }) => {
  const [title, setTitle] = useState(translate('Alert {id}', { id }));
  const back = lastLink('/queue');
  const heading = useScreen(title, back);
  return (
    <main id="main" class="screen alert-page">
      <a class="from" href={back}>
        {translate('Queue')}
      </a>
      <AlertPane
        id={id}
        heading={(words) => {
          const named =
            words === translate('Alert')
              ? translate('Alert {id}', { id })
              : translate('{reason}, alert {id}', { reason: words, id });
          if (named !== title) queueMicrotask(() => setTitle(named));
          return (
            <h1 ref={heading} tabIndex={-1}>
              {words}
            </h1>
          );
        }}
      />
    </main>
  );
};
