import { Redis } from 'ioredis';
import { startRedis, type TestRedis } from './redis.ts';
import { until } from './until.ts';

const SLOTS = 16_384;

export interface TestRedisCluster {
  /** The masters and then their replicas. */
  readonly nodes: readonly TestRedis[];
  /** The number of the master that had the key at the start. */
  masterOf(key: string): Promise<number>;
  /** From now on every node wants this password of new connections. */
  protect(password: string): Promise<void>;
}

/** A Redis cluster whose masters share the slots evenly; the replicas are those of the first. It ends with the suite. */
export async function startRedisCluster({ masters = 1, replicas = 0 }): Promise<TestRedisCluster> {
  // One second until a node is taken for dead, and no regard to how old the data of its replica is.
  const settings = '--cluster-node-timeout 1000 --cluster-replica-validity-factor 0'.split(' ');
  const nodes = await Promise.all(
    Array.from({ length: masters + replicas }, () =>
      startRedis('--cluster-enabled', 'yes', '--cluster-announce-ip', '127.0.0.1', ...settings),
    ),
  );
  const admins = nodes.map(({ url }) => new Redis(url));
  const first = admins[0] as Redis;
  const firstSlot = (master: number) => Math.floor((master * SLOTS) / masters);
  const everyone = async (state: string) =>
    (await Promise.all(admins.map((admin) => admin.cluster('INFO')))).every((info) => info.includes(state));

  for (const [index, admin] of admins.slice(0, masters).entries()) {
    await admin.cluster('ADDSLOTSRANGE', firstSlot(index), firstSlot(index + 1) - 1);
  }
  for (const { url } of nodes.slice(1)) await first.cluster('MEET', '127.0.0.1', Number(new URL(url).port));
  await until(() => everyone(`cluster_known_nodes:${nodes.length}\r\n`));
  const firstId = await first.cluster('MYID');
  for (const admin of admins.slice(masters)) {
    // A node refuses until it has heard that the first is a master with slots.
    const follow = () => admin.cluster('REPLICATE', firstId).then(Boolean, () => false);
    await until(follow);
    await until(async () => (await admin.info('replication')).includes('master_link_status:up'));
  }
  await until(() => everyone('cluster_state:ok'));
  for (const admin of admins) admin.disconnect();

  return {
    nodes,
    async masterOf(key) {
      const client = new Redis(nodes[0]?.url ?? '');
      const slot = Number(await client.cluster('KEYSLOT', key));
      client.disconnect();
      return Array.from({ length: masters }, (_, master) => master).findLastIndex(
        (master) => firstSlot(master) <= slot,
      );
    },
    async protect(password) {
      for (const { url } of nodes) {
        const client = new Redis(url);
        await client.config('SET', 'masterauth', password);
        await client.config('SET', 'requirepass', password);
        client.disconnect();
      }
    },
  };
}
