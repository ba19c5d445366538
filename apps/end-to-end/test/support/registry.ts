import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import type http from 'node:http';
import path from 'node:path';
import { json } from 'node:stream/consumers';
import { listen, newFolder } from '@contract-kit/test-support/testing';
import { root } from '@petstore/server/testing';
import { output } from './repository.ts';

/** What `npm publish` sends, and the registry serves. */
interface Packument {
  readonly name: string;
  readonly versions: Record<string, { readonly dist: { readonly tarball: string } }>;
  readonly 'dist-tags': Record<string, string>;
  readonly _attachments?: Readonly<Record<string, { readonly data: string }>>;
}

/** A registry of npm, which has the packages of the kit that are published to it. */
export interface Registry {
  /** Packages that were published, as `name@version`, in their order. */
  readonly published: readonly string[];
  /** Refuses to publish this package, as if the registry failed. */
  fail(name: string | undefined): void;
  /** Runs npm with this registry, and resolves to its output. */
  npm(cwd: string, ...args: string[]): Promise<string>;
  /** Runs a script of the checkout with it. */
  script(name: string, ...args: string[]): Promise<string>;
  /** The variable that has npm use it. */
  readonly variable: string;
}

const TOKEN = 'token-of-the-test';
const isOfTheKit = (name: string) => name === 'create-contract-kit' || name.startsWith('@contract-kit/');

/** Starts one on loopback. It redirects requests for all other packages to the registry that npm is configured with. */
export async function startRegistry(): Promise<Registry> {
  const npmOf = async (...args: string[]) => (await output(root, 'npm', ...args)).trim();
  const upstream = await npmOf('config', 'get', 'registry');
  const packages = new Map<string, Packument>();
  const tarballs = new Map<string, Buffer>();
  const published: string[] = [];
  let failing: string | undefined;

  function publish({ _attachments = {}, ...sent }: Packument): number {
    if (sent.name === failing) return 500;
    const present = packages.get(sent.name);
    for (const version of Object.keys(sent.versions)) {
      if (present?.versions[version]) return 403;
      published.push(`${sent.name}@${version}`);
    }
    const versions = { ...present?.versions, ...sent.versions };
    packages.set(sent.name, {
      ...sent,
      versions,
      'dist-tags': { ...present?.['dist-tags'], ...sent['dist-tags'] },
    });
    for (const { dist } of Object.values(sent.versions)) {
      const file = decodeURIComponent(new URL(dist.tarball).pathname);
      const [attachment] = Object.values(_attachments);
      tarballs.set(file, Buffer.from(attachment?.data ?? '', 'base64'));
    }
    return 201;
  }

  async function respond(req: http.IncomingMessage, res: http.ServerResponse): Promise<void> {
    const target = decodeURIComponent(new URL(req.url ?? '/', upstream).pathname);
    const name = target.slice(1);
    const end = (status: number, body: string | Buffer = '{}') =>
      // Nothing of this registry stays in the cache of npm.
      res.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' }).end(body);
    if (req.method === 'PUT') {
      if (req.headers.authorization !== `Bearer ${TOKEN}`) return void end(401);
      return void end(publish((await json(req)) as Packument));
    }
    const tarball = tarballs.get(target);
    if (tarball) return void end(200, tarball);
    if (isOfTheKit(name)) {
      const found = packages.get(name);
      return void end(found ? 200 : 404, JSON.stringify(found ?? {}));
    }
    res.writeHead(307, { location: new URL((req.url ?? '').slice(1), upstream).href }).end();
  }

  const origin = await listen((req, res) => {
    respond(req, res).catch((error: unknown) => res.writeHead(500).end(String(error)));
  });
  const folder = newFolder();
  // What `npm create` installs is kept by its name, so it must not be that of another run. Packages are kept by their content.
  const cache = path.join(folder, 'cache');
  const kept = path.join(await npmOf('config', 'get', 'cache'), '_cacache');
  for (const made of [cache, kept]) mkdirSync(made, { recursive: true });
  symlinkSync(kept, path.join(cache, '_cacache'));
  const config = path.join(folder, '.npmrc');
  const lines = [
    `registry=${origin}/`,
    `${origin.replace('http:', '')}/:_authToken=${TOKEN}`,
    `cache=${cache}`,
  ];
  writeFileSync(config, [...lines, 'audit=false', 'fund=false', 'update-notifier=false', ''].join('\n'));
  const variable = `NPM_CONFIG_USERCONFIG=${config}`;
  return {
    published,
    fail: (name) => (failing = name),
    npm: (cwd, ...args) => output(cwd, 'env', variable, 'npm', ...args),
    script: (name, ...args) => output(root, 'env', variable, process.execPath, `scripts/${name}`, ...args),
    variable,
  };
}
