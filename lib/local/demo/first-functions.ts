/** The functions that run when a new data folder gets its demo tenant: where code is built on demand, they are built in one pass. */
export const firstFunctions = [
  'auth/authorizer',
  'auth/get-token',
  'jobs/counter',
  'enrollments/create-enrollment',
  'enrollments/set-enrollment-item',
  'jobs/router',
  'jobs/send-mail',
  'merchants/create-merchant',
  'merchants/create-retailer',
  'merchants/create-site',
  'merchants/set-alert-settings',
  'merchants/set-payment-settings',
  'merchants/set-three-ds-settings',
] as const;
