import { optional } from '#core/platform/operation/environment.ts';
import type { ConnectedProcessorOf } from '../ports/account.ts';
import { connectSandbox } from './sandbox-connected-store.ts';

export const sandboxConnectedProcessorOf: ConnectedProcessorOf = ({ owner }) => {
  if (optional('ALLOW_SANDBOX') !== 'true') throw new Error('The sandbox is not allowed here: see ALLOW_SANDBOX');
  if (!('mid' in owner)) throw new Error('A site connects no sandbox');
  return connectSandbox(owner.mid);
};
