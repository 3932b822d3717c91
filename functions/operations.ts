import { alertOperations } from './alerts/operations.ts';
import { authOperations } from './auth/operations.ts';
import { balanceOperations } from './balance/operations.ts';
import { cardSearchOperations } from './cardsearch/operations.ts';
import type { Operation } from './core/operation.ts';
import { dataSourceOperations } from './datasources/operations.ts';
import { notificationOperations } from './dispatch/operations.ts';
import { documentOperations } from './documents/operations.ts';
import { enrollmentOperations } from './enrollments/operations.ts';
import { fraudOperations } from './fraud/operations.ts';
import { merchantOperations } from './merchants/operations.ts';
import { onboardingOperations } from './onboarding/operations.ts';
import { pricingOperations } from './pricing/operations.ts';
import { processorOperations } from './processors/operations.ts';
import { ruleOperations } from './rules/operations.ts';
import { transactionOperations } from './transactions/operations.ts';
import { payerOperations } from './transactions/payer-operations.ts';

/** The whole API. */
export const operations: readonly Operation[] = [
  ...alertOperations,
  ...authOperations,
  ...merchantOperations,
  ...onboardingOperations,
  ...enrollmentOperations,
  ...dataSourceOperations,
  ...notificationOperations,
  ...pricingOperations,
  ...ruleOperations,
  ...transactionOperations,
  ...payerOperations,
  ...cardSearchOperations,
  ...balanceOperations,
  ...processorOperations,
  ...fraudOperations,
  ...documentOperations,
];
