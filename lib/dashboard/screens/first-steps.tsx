import { useEffect } from 'preact/hooks';
import { translate, translateCount } from '../language/translate.ts';
import { Copy } from '../parts/copy.tsx';
import { useLoad } from '../parts/load.ts';
import { EndpointTest } from './endpoint-test.tsx';
import { endpointUrl, nextStep, readSetup, type Setup, type Step } from './first-steps-read.ts';
import type { SiteDto } from './site-operations.ts';

const sumMinutes = (steps: readonly Step[]): number => steps.reduce((sum, { minutes }) => sum + minutes, 0);
const minutesText = (minutes: number): string =>
  translateCount(minutes, 'about {count} minute', 'about {count} minutes');

/** The steps from an empty account to the first answer. Once an alert was answered, only those that are left are shown, in one line. */
export const FirstSteps = ({ mid, onNext }: { mid: number; onNext: (label: string | undefined) => void }) => {
  const { data } = useLoad(`steps ${mid}`, (signal) => readSetup(mid, signal));
  const next = data && nextStep(data);
  useEffect(() => onNext(next?.label), [next?.label]);
  const left = data?.steps.filter(({ fact }) => fact === undefined) ?? [];
  if (!data || left.length === 0) return null;
  const counts = { done: data.steps.length - left.length, all: data.steps.length };
  const title = translate('First steps, {done} of {all} done', counts);
  return next ? (
    <section class="fact steps" aria-labelledby="first-steps">
      <header>
        <h2 id="first-steps">{title}</h2>
        <span class="quiet small">
          <progress value={counts.done} max={counts.all} aria-labelledby="first-steps" />{' '}
          {minutesText(sumMinutes(left))}
        </span>
      </header>
      <div>
        <ol class="timeline">
          {data.steps.map((step) => (
            <StepRow key={step.id} step={step} isNext={step === next} site={data.site} />
          ))}
        </ol>
        <Aside {...data} next={left[0]} />
      </div>
    </section>
  ) : (
    <p class="small">
      {title}:{' '}
      {left.map(({ id, label, href }, at) => (
        <>
          {at > 0 && ', '}
          <a key={id} href={href}>
            {label}
          </a>
        </>
      ))}
    </p>
  );
};

type StepRowProps = { step: Step; isNext: boolean; site: SiteDto | undefined };

const StepRow = ({ step: { id, label, href, why, fact, minutes }, isNext, site }: StepRowProps) => {
  const url = endpointUrl(site);
  return (
    <li class={fact === undefined ? undefined : 'good'} aria-current={isNext ? 'step' : undefined}>
      {isNext ? <strong>{label}</strong> : <a href={href}>{label}</a>}{' '}
      <span class="quiet small">{fact === undefined ? minutesText(minutes) : translate('Done')}</span>
      <p class="quiet">{fact ?? why}</p>
      {isNext && (
        <a class="button main" href={href}>
          {label}
        </a>
      )}
      {isNext && id === 'test' && site && url && <EndpointTest site={site} url={url} />}
    </li>
  );
};

const Aside = ({ site, watched, next }: Setup & { next: Step | undefined }) => {
  const settings = site?.settings && 'alert_triggeremail' in site.settings ? site.settings : undefined;
  const email = settings?.alert_triggeremail === 1 && settings.alert_email;
  const url = endpointUrl(site);
  const chat = settings?.slack_webhook_host ?? settings?.teams_webhook_host;
  return (
    <aside>
      <h3>{translate('What reaches you today')}</h3>
      <dl>
        {watched.map(({ provider, state }) => (
          <Pair key={provider} name={provider} words={state} />
        ))}
        {watched.length === 0 && <Pair name={translate('Networks')} words={translate('nothing yet')} />}
        <Pair name={translate('E-mail')} words={email || translate('nothing yet')} />
        <Pair name={translate('Calls to your server')} words={url ? translate('on') : translate('nothing yet')} />
      </dl>
      <h3>{translate('If an alert arrives now')}</h3>
      <p>
        {!site && translate('Without a site for alerts it reaches the operator of this service, not you.')}
        {site &&
          (email || url || chat
            ? translate(
                'It waits in the queue with its deadline, and you hear of it. Nothing is answered without you until a rule is live.',
              )
            : translate(
                'It waits in the queue with its deadline. Nobody is told until an endpoint or an e-mail address is set.',
              ))}
      </p>
      {next && (
        <>
          <h3>{translate('Not your part?')}</h3>
          <p>
            {translate('Send this step to a colleague who signs in here.')}{' '}
            <Copy
              text={new URL(next.href, window.location.href).href}
              label={translate('Copy the link to this step')}
            />
          </p>
        </>
      )}
    </aside>
  );
};

const Pair = ({ name, words }: { name: string; words: string }) => (
  <div>
    <dt>{name}</dt>
    <dd>{words}</dd>
  </div>
);
