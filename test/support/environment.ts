/** The environment of every function; set before any module of the project is imported. */
Object.assign(process.env, {
  AWS_REGION: 'eu-west-1',
  AWS_ACCESS_KEY_ID: 'test',
  AWS_SECRET_ACCESS_KEY: 'test',
  TABLE_NAME: 'forewarn-test',
  STAGE_NAME: 'test',
});
