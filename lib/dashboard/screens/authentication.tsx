import type { authenticationDetailsOperation as DetailsOperation } from '#payments/threeds/api/authentication-details/operation.ts';
import { link } from '../app/address.ts';
import { type ReplyOf, remote } from '../app/client.ts';
import { Screen } from '../app/screen.tsx';
import { stateWords } from '../parts/badge.tsx';
import { Card } from '../parts/card.tsx';
import { CardNumber } from '../parts/card-number.tsx';
import { Copied } from '../parts/copy.tsx';
import { Facts } from '../parts/facts.tsx';
import { Waiting } from '../parts/listing.tsx';
import { useLoad } from '../parts/load.ts';
import { numberText } from '../parts/money.ts';
import { SiteName } from '../parts/site-name.tsx';
import { Time } from '../parts/time.tsx';
import { Trouble } from '../parts/trouble.tsx';
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
      title={`Authentication ${id}`}
      from={{ label: '3-D Secure', href: '#/3ds' }}
      {...(data && { lede: <Standing {...data} /> })}
    >
      <Trouble error={error} onRetry={reload} />
      {data ? <Known shown={data} /> : !error && <Waiting />}
    </Screen>
  );
};

const Standing = (shown: AuthenticationDto) => (
  <>
    <OutcomeBadge {...shown} /> {numberText(shown.amount, shown.currency)}.{' '}
    {shown.liability_shift ? 'The issuer is expected to bear fraud.' : 'You would bear fraud.'}
  </>
);

const code = (text: string | null, label: string) => text && <Copied text={text} label={`Copy the ${label}`} />;

const Known = ({ shown }: { shown: AuthenticationDto }) => (
  <div class="split">
    <Card title="What the issuer said">
      <Facts
        facts={[
          ['Status', transStatusWords(shown.transStatus)],
          ['Why', shown.reason && stateWords(shown.reason)],
          ['Its reason', reasonWords(shown.transStatusReason)],
          ['Said at first', shown.aresTransStatus && transStatusWords(shown.aresTransStatus)],
          ['After the challenge', shown.challengeTransStatus && transStatusWords(shown.challengeTransStatus)],
          ['Challenge ended', cancelWords(shown.challengeCancel)],
          ['How', wayWords(shown.authenticationType)],
          ['ECI', shown.eci],
          ['Exemption', shown.exemption && stateWords(shown.exemption)],
          ['For the payer', shown.cardholder_info],
          ['Version', shown.messageVersion],
          ['At the 3DS server', code(shown.threeDSServerTransID, '3DS server’s number')],
          ['At the directory', code(shown.dsTransID, 'directory’s number')],
          ['At the issuer', code(shown.acsTransID, 'issuer’s number')],
        ]}
      />
    </Card>
    <Card title="The authentication">
      <Facts
        facts={[
          ['Amount', numberText(shown.amount, shown.currency)],
          ['Card', shown.card && <CardNumber card={shown.card} />],
          ['Site', <SiteName key="site" sid={shown.sid} />],
          ['Started', <Time key="begun" at={shown.created_at} exact />],
          ['Done', shown.done_at && <Time at={shown.done_at} exact />],
          ['Payment', shown.used_by_txid && <a href={link(`/payments/${shown.used_by_txid}`)}>{shown.used_by_txid}</a>],
        ]}
      />
    </Card>
  </div>
);
