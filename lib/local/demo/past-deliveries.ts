import { randomUUID } from 'node:crypto';
import type { Site } from '#accounts/merchants/site/site.ts';
import { iso } from '#core/kernel/clock.ts';
import type { Write } from '#core/platform/table/table.ts';
import { formType } from '#disputes/alerts/outbox/alert-payload.ts';
import {
  createDelivery,
  type Delivery,
  type DeliveryAttempt,
  deliveryAfterAttempt,
} from '#messaging/webhooks/delivery/delivery.ts';
import { newDeliveryWrite } from '#messaging/webhooks/delivery/delivery-row.ts';
import type { Chance } from './seeded-chance.ts';

type Told = Pick<Delivery, 'id' | 'alertId' | 'body'> & { at: string };
type Around = {
  site: Site;
  chance: Chance;
  /** Milliseconds. */
  now: number;
  /** The alert got its outcome: what had failed until then is cancelled. */
  isClosed: boolean;
};

/** The behaviour of a merchant's endpoint towards one notification. */
const behaviours = { takes: 78, slow: 6, recovers: 8, refuses: 8 } as const;
type Behaviour = keyof typeof behaviours;

const tryPost = (delivery: Delivery, behaviour: Behaviour, url: string, chance: Chance): DeliveryAttempt => {
  const slot = delivery.nextAttemptAt ?? delivery.createdAt;
  const isTaken = behaviour === 'takes' || (behaviour === 'recovers' && delivery.attempts.length >= 2);
  const isSlow = behaviour === 'slow' && delivery.attempts.length === 0;
  const base = {
    id: randomUUID(),
    at: iso(Date.parse(slot) + chance.between(200, 2600)),
    slot,
    url,
    responseTruncated: false,
  };
  if (isSlow) {
    return { ...base, status: null, latencyMilliseconds: 15_000, error: 'timeout', response: '', replyUpdate: null };
  }
  if (isTaken || behaviour === 'slow') {
    return {
      ...base,
      status: 200,
      latencyMilliseconds: chance.between(40, 900),
      error: null,
      response: 'ok',
      replyUpdate: null,
    };
  }
  return {
    ...base,
    status: 503,
    latencyMilliseconds: chance.between(20, 300),
    error: 'http_status',
    response: '{"error":"The shop is being updated. Come back later."}',
    replyUpdate: null,
  };
};

const isOver = ({ state, nextAttemptAt }: Delivery, now: number): boolean =>
  state !== 'PENDING' || nextAttemptAt === null || Date.parse(nextAttemptAt) > now;

/** The notification of an alert of the past with the attempts that it has had since; none where the site wants none. */
export const pastDelivery = (told: Told, { site, chance, now, isClosed }: Around): Write[] => {
  const url = site.alert?.alertapiurl;
  if (!url) return [];
  const { sid, mid, rid } = site;
  const behaviour = chance.pickWeighted(behaviours);
  let delivery = createDelivery({ ...told, kind: 'new_alert', sid, mid, rid, contentType: formType });
  while (!isOver(delivery, now)) delivery = deliveryAfterAttempt(delivery, tryPost(delivery, behaviour, url, chance));
  const isCancelled = isClosed && delivery.state === 'PENDING';
  const cancelled = { state: 'CANCELLED', nextAttemptAt: null, cancelledAt: iso(now) } as const;
  return [newDeliveryWrite(isCancelled ? { ...delivery, ...cancelled } : delivery)];
};
