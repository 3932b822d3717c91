import { alertWorkers } from './alerts/workers.ts';
import { authWorkers } from './auth/workers.ts';
import type { Worker } from './core/worker.ts';
import { coreWorkers } from './counts/workers.ts';
import { notificationWorkers } from './dispatch/workers.ts';
import { enrollmentWorkers } from './enrollments/workers.ts';
import { ruleWorkers } from './rules/workers.ts';
import { transactionWorkers } from './transactions/workers.ts';

/** Every function that no caller reaches. */
export const workers: readonly Worker[] = [
  ...alertWorkers,
  ...authWorkers,
  ...coreWorkers,
  ...enrollmentWorkers,
  ...notificationWorkers,
  ...ruleWorkers,
  ...transactionWorkers,
];
