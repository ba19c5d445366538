/* Other programs of this machine, started on loopback ports. Private: nothing that is shipped imports it. */
export { chromiumPath } from './chromium.ts';
export { lastWords, logsIn, missing, startCluster, stopCluster, type Cluster, type Part } from './cluster.ts';
export { describeWith } from './describe-with.ts';
export { hasNginx, mistakesInDeploy, startNginx } from './nginx.ts';
export { hasPostgres, postgresPrograms, startPostgresServer } from './postgres.ts';
export {
  ask,
  findProgram,
  freePort,
  freePorts,
  startProgram,
  untilReady,
  type Program,
  type ServerOptions,
} from './program.ts';
export { hasRedis, startRedisServer } from './redis.ts';
