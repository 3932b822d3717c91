import { link } from '../app/address.ts';
import { alertDetails, paymentDetails } from '../app/operations.ts';
import { Badge, stateWords } from '../parts/badge.tsx';
import { Card } from '../parts/card.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Facts } from '../parts/facts.tsx';
import { Waiting } from '../parts/listing.tsx';
import { useLoad } from '../parts/load.ts';
import { amountText, isAbove } from '../parts/money.ts';
import { Time } from '../parts/time.tsx';
import { Trouble } from '../parts/trouble.tsx';
import { AlertDeliveries } from './alert-deliveries.tsx';
import { paymentsOf } from './alert-refund.tsx';
import { OrderOf } from './order-seen.tsx';
import { heldFacts } from './payment-words.ts';

/** What belongs to an alert, over the list it stands in: its payment, its order and its notifications. */
export const RelatedDialog = ({ alertId, onClose }: { alertId: number; onClose: () => void }) => {
  const { data, error, reload } = useLoad(`related ${alertId}`, (signal) =>
    alertDetails({ params: { alert_id: alertId }, signal }),
  );
  const txids = data ? paymentsOf(data) : [];
  return (
    <Dialog title={`Related to alert ${alertId}`} onClose={onClose} isWide>
      <Trouble error={error} onRetry={reload} />
      {!data && !error && <Waiting rows={4} />}
      {data && (
        <div class="related">
          {txids.length === 0 && (
            <Card title="Payment">
              <p class="quiet">No matching payment of yours is known.</p>
            </Card>
          )}
          {txids.map((txid) => (
            <PaymentOf key={txid} txid={txid} />
          ))}
          {data.order_id === null ? (
            <Card title="Order">
              <p class="quiet">No matching order is known.</p>
            </Card>
          ) : (
            <OrderOf orderId={data.order_id} />
          )}
          <AlertDeliveries alertId={alertId} />
        </div>
      )}
    </Dialog>
  );
};

const PaymentOf = ({ txid }: { txid: number }) => {
  const { data, error, reload } = useLoad(`payment ${txid}`, (signal) =>
    paymentDetails({ params: { parentxid: txid }, signal }),
  );
  return (
    <Card title="Payment" actions={<a href={link(`/payments/${txid}`)}>{txid}</a>}>
      <Trouble error={error} onRetry={reload} />
      {!data && !error && <Waiting rows={3} />}
      {data && (
        <Facts
          facts={[
            [
              'Status',
              <Badge
                key="status"
                state={data.status}
                label={data.status === 'OK' ? 'Done' : stateWords(data.status)}
              />,
            ],
            ['Amount', amountText(data.amount, data.currency)],
            ['Refunded', isAbove(data.ledger.refunded, '0') && amountText(data.ledger.refunded, data.currency)],
            ...heldFacts(data),
            ['Can be refunded', amountText(data.ledger.refundable, data.currency)],
            ['Paid', <Time key="paid" at={data.created_at} exact />],
            ['Your number', data.tid],
            ['Payer', data.email],
          ]}
        />
      )}
    </Card>
  );
};
