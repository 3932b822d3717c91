import { rdr } from '#disputes/providers/rdr.ts';
import { receiveMessages } from '../../intake/receive-flow.ts';
import { receiveRdrOperation } from './operation.ts';

export const handler = receiveMessages(receiveRdrOperation, rdr);
