import { providerOf, type SigningProvider } from '#disputes/providers/providers.ts';
import { stageNames } from '#lib/cloud/names.ts';

/** For each network: the address that it sends alerts to, and the secret with which it signs them. `stage`: null on the local service. */
export const handOverOf = (
  url: string,
  networks: readonly SigningProvider[],
  stage: string | null,
): { network: SigningProvider; address: string; secret: string }[] =>
  networks.map((network) => {
    const { secret } = providerOf(network);
    const place =
      stage === null ? 'GET /_local/credentials' : `${stageNames(stage).prefix}/${secret} in AWS Secrets Manager`;
    return { network, address: `${url}/api/v3/providers/${network}/alerts`, secret: place };
  });
