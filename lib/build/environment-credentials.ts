import type { Plugin } from 'esbuild';

/**
 * Lambda puts a function's credentials into the environment and nowhere else. The SDK's default chain would also bring
 * readers of files, of the instance metadata service, of web identities and of single sign-on, none of which can apply.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html
 */
export const environmentCredentials: Plugin = {
  name: 'environment-credentials',
  setup: (build) => {
    build.onResolve({ filter: /^@aws-sdk\/credential-provider-node$/ }, () => ({
      path: 'environment-credentials',
      namespace: 'forewarn',
    }));
    build.onLoad({ filter: /^environment-credentials$/, namespace: 'forewarn' }, () => ({ contents, loader: 'js' }));
  },
};

const contents = `
export const defaultProvider = () => async () => {
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = process.env;
  if (!AWS_ACCESS_KEY_ID || !AWS_SECRET_ACCESS_KEY) throw new Error('No AWS credentials in the environment');
  return {
    accessKeyId: AWS_ACCESS_KEY_ID,
    secretAccessKey: AWS_SECRET_ACCESS_KEY,
    ...(AWS_SESSION_TOKEN && { sessionToken: AWS_SESSION_TOKEN }),
  };
};
`;
