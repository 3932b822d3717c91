import type { authenticationDetailsOperation as DetailsOperation } from '#payments/threeds/api/authentication-details/operation.ts';
import { link } from '../app/address.ts';
import { type ReplyOf, remote } from '../app/client.ts';
import { Screen } from '../app/screen.tsx';
import { translate } from '../language/translate.ts';
import { stateWords } from '../parts/badge.tsx';
import { Card } from '../parts/card.tsx';
import { CardNumber } from '../parts/card-number.tsx';
import { cardText } from '../parts/card-text.ts';
import { Copied } from '../parts/copy.tsx';
import { Facts } from '../parts/facts.tsx';
import { useLoad } from '../parts/load.ts';
import { numberText } from '../parts/money.ts';
import { SiteName } from '../parts/site-name.tsx';
import { Time } from '../parts/time.tsx';
import { Trouble } from '../parts/trouble.tsx';
import { Waiting } from '../parts/waiting.tsx';
import { cancelWords, OutcomeBadge, reasonWords, transStatusWords, wayWords } from './authentication-words.tsx';

const authenticationDetails = remote<typeof DetailsOperation>({ path: '/api/v3/3ds/authentication/{id}/details' });
type AuthenticationDto = ReplyOf<typeof DetailsOperation>;

/** One authentication: what was asked, and what the issuer said. */
export const AuthenticationPage = ({
  params: { id = '' },
}: {
  params: Readonly<Record<string, string | undefined>>;
}) => {
  const { data, error, reload } = useLoad(id, (signal) => authenticationDetails({ params: { id }, signal }));
  return (
    <Screen
      title={
        data
          ? [numberText(data.amount, data.currency), data.card && cardText(data.card)].filter(Boolean).join(', ')
          : translate('3-D Secure')
      }
      from={{ label: translate('3-D Secure'), href: '#/3ds' }}
      {...(data && { lede: <Standing {...data} /> })}
    >
      <Trouble error={error} onRetry={reload} />
      {data ? <Known shown={data} /> : !error && <Waiting />}
    </Screen>
  );
};

const Standing = (shown: AuthenticationDto) => (
  <>
    <OutcomeBadge {...shown} />{' '}
    {shown.liability_shift ? translate('The issuer is expected to bear fraud.') : translate('You would bear fraud.')}
  </>
);

/** True where the outcome above says the same in words. */
const isSaid = ({ outcome, transStatus }: AuthenticationDto): boolean =>
  outcome !== null && transStatusWords(transStatus) === stateWords(outcome);

/** An earlier answer of the issuer, if it was another one. */
const differing = (status: string | null | undefined, { transStatus }: AuthenticationDto): string | null =>
  status === transStatus ? null : transStatusWords(status);

/** The issuer's own codes, as processors ask for them. */
const codesOf = ({ transStatus, transStatusReason, eci }: AuthenticationDto): string =>
  [
    transStatus && translate('status {code}', { code: transStatus }),
    transStatusReason && translate('reason {code}', { code: transStatusReason }),
    eci && `ECI ${eci}`,
  ]
    .filter(Boolean)
    .join(', ');

const code = (text: string | null, label: string) =>
  text && <Copied text={text} label={translate('Copy the {label}', { label })} />;

const Known = ({ shown }: { shown: AuthenticationDto }) => (
  <div class="split">
    <Card title={translate('What the issuer said')}>
      <Facts
        facts={[
          [translate('Answer'), isSaid(shown) ? null : transStatusWords(shown.transStatus)],
          [translate('Why'), shown.reason && stateWords(shown.reason)],
          [translate('Its reason'), reasonWords(shown.transStatusReason)],
          [translate('Said at first'), differing(shown.aresTransStatus, shown)],
          [translate('After the challenge'), differing(shown.challengeTransStatus, shown)],
          [translate('Challenge ended'), cancelWords(shown.challengeCancel)],
          [translate('How'), wayWords(shown.authenticationType)],
          [translate('Exemption'), shown.exemption && stateWords(shown.exemption)],
          [translate('For the payer'), shown.cardholder_info],
          [translate('Codes for your processor'), codesOf(shown)],
          [translate('Version'), shown.messageVersion],
          [translate('At the 3DS server'), code(shown.threeDSServerTransID, translate('3DS server’s number'))],
          [translate('At the directory'), code(shown.dsTransID, translate('directory’s number'))],
          [translate('At the issuer'), code(shown.acsTransID, translate('issuer’s number'))],
        ]}
      />
    </Card>
    <Card title={translate('The authentication')}>
      <Facts
        facts={[
          [translate('Number'), code(String(shown.authentication_id), translate('authentication’s number'))],
          [translate('Amount'), numberText(shown.amount, shown.currency)],
          [translate('Card'), shown.card && <CardNumber card={shown.card} />],
          [translate('Site'), <SiteName key="site" sid={shown.sid} />],
          [translate('Started'), <Time key="begun" at={shown.created_at} exact />],
          [translate('Done'), shown.done_at && <Time at={shown.done_at} exact />],
          [
            translate('Payment'),
            shown.used_by_txid && <a href={link(`/payments/${shown.used_by_txid}`)}>{shown.used_by_txid}</a>,
          ],
        ]}
      />
    </Card>
  </div>
);
