/** Screens that people work with beside the inbox. Loaded together: one file of them is a fifth smaller than one for each. */
export { Deliveries } from './deliveries.tsx';
export { DeliveryPage } from './delivery.tsx';
export { Help } from './help.tsx';
export { Lookups } from './lookups.tsx';
export { OrderPage } from './order.tsx';
export { Orders } from './orders.tsx';
export { Outcomes } from './outcomes.tsx';
export { PaymentPage } from './payment.tsx';
export { Payments } from './payments.tsx';
