/** The environment of a service of its own, with its data in `folder` and on a free port. */
export function serviceEnvironment(folder: string): NodeJS.ProcessEnv {
  return { ...process.env, NODE_ENV: 'production', DATA_DIR: folder, HOST: '127.0.0.1', PORT: '0' };
}
