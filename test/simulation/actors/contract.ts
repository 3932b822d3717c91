import { recordExchange } from '#test/contracts/breaches.ts';
import type { FakeReply, FakeRequest } from '#test/support/fake-processor.ts';

/** Returns the reply of a vendor's stand-in, after it and its request were compared with what the vendor publishes. */
export const judge = <Reply extends FakeReply>(vendor: string, request: FakeRequest, reply: Reply): Reply => {
  if (reply.isDeviant !== true) recordExchange(vendor, request, reply);
  return reply;
};
