import { Stack } from 'aws-cdk-lib';
import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import type { Construct } from 'constructs';
import type { Names } from './names.ts';
import type { Settings } from './settings.ts';

/** Parts of the budget, in percent, at which the operator gets an e-mail: spent already, and expected by the end of the month. */
const notifications = [
  { notificationType: 'ACTUAL', threshold: 80 },
  { notificationType: 'FORECASTED', threshold: 100 },
] as const;

/** A budget of the account for a month, if the operator has set one. Throws an Error in GovCloud, which has no AWS Budgets. */
export const createBudget = (scope: Construct, { prefix }: Names, settings: Settings): void => {
  const { monthlyBudget: amount, operationsEmail } = settings;
  if (amount === undefined || operationsEmail === undefined) return;
  if (Stack.of(scope).region.startsWith('us-gov-'))
    throw new Error('monthlyBudget: AWS Budgets does not exist in GovCloud. Leave the setting out.');
  new CfnBudget(scope, 'Budget', {
    budget: { budgetName: prefix, budgetType: 'COST', timeUnit: 'MONTHLY', budgetLimit: { amount, unit: 'USD' } },
    notificationsWithSubscribers: notifications.map((notification) => ({
      notification: { ...notification, comparisonOperator: 'GREATER_THAN', thresholdType: 'PERCENTAGE' },
      subscribers: [{ subscriptionType: 'EMAIL', address: operationsEmail }],
    })),
  });
};
