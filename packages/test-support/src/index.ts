/* Programs of this machine, and packages as their users get them. Nothing that ships imports this. */
export { describeWith, testAsRoot } from './describe-with.ts';
export { findProgram, notInstalled, pathOf, type ProgramName } from './installed.ts';
export { mistakesInDeploy, startNginx } from './nginx.ts';
export { installNode, NODE_VERSIONS } from './node.ts';
export { command, installPacked, type Installed } from './packed.ts';
export { startPostgresServer } from './postgres.ts';
export {
  ask,
  freePort,
  freePorts,
  startProgram,
  untilReady,
  type Program,
  type ServerOptions,
} from './program.ts';
export { startRedisServer } from './redis.ts';
