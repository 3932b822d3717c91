import * as v from 'valibot';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { ofFrame } from '../../declarations.ts';

export const framePageOperation = defineOperation('threeds/frame-page', {
  ...ofFrame,
  summary: 'The frame that holds an issuer’s page',
  description:
    'The SDK opens it in the payer’s page and hands it the client token; it asks what to post to the issuer, and posts it into ' +
    'a frame inside itself.',
  method: 'GET',
  path: '/3ds/frame',
  reply: v.string(),
  replyType: 'text/html; charset=utf-8',
});
