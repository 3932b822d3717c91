import { optional } from '#core/platform/operation/environment.ts';
import type { GatewayOf } from '../ports/account.ts';
import { sandboxGateway } from './sandbox-gateway-store.ts';

export const sandboxGatewayOf: GatewayOf = ({ owner }) => {
  if (optional('ALLOW_SANDBOX') !== 'true') throw new Error('The sandbox is not allowed here: see ALLOW_SANDBOX');
  if (!('mid' in owner)) throw new Error('A site connects no sandbox');
  return sandboxGateway(owner.mid);
};
