// `npm run package [-- FOLDER]`: the service as it is deployed: its build, and the packages that it needs to run.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const server = path.resolve(import.meta.dirname, '..');
const root = path.resolve(server, '../..');
const folder = path.resolve(process.argv[2] ?? path.join(root, 'dist/petstore'));
const marker = path.join(folder, 'bin/petstore.js');

if (existsSync(folder) && readdirSync(folder).length > 0) {
  if (!existsSync(marker)) {
    console.error(
      `package: ${folder} holds something else; name an empty folder, or one made by this command`,
    );
    process.exit(1);
  }
  rmSync(folder, { recursive: true });
}

// The sources that the native module was compiled from take ten times as much as the rest of it.
const isBuildMaterial = (file) =>
  /better-sqlite3\/(deps|src|build\/(?!Release$|Release\/[^/]+\.node$))/.test(file);

// What the bundle is made of.
const isBundled = (file) => /^dist\/(?!bundle\/|pages\/browser\/).*\.js$/.test(path.relative(server, file));

function copy(from, to) {
  cpSync(from, to, {
    recursive: true,
    filter: (file) => !isBuildMaterial(file) && !isBundled(file) && path.basename(file) !== 'node_modules',
  });
}

for (const name of ['bin', 'dist']) copy(path.join(server, name), path.join(folder, name));
// Without dependencies: an `npm install` there would look for this workspace's packages in the registry.
const { name, version, license, type, bin } = JSON.parse(
  readFileSync(path.join(server, 'package.json'), 'utf8'),
);
writeFileSync(
  path.join(folder, 'package.json'),
  JSON.stringify({ name, version, license, type, bin }, null, 2),
);
copy(path.join(root, 'deploy/backup.sh'), path.join(folder, 'backup.sh'));

// The very files that were tested, not what the registry has by now. Those in the bundle too, for their licences.
const list = ['ls', '--workspace=@petstore/server', '--omit=dev', '--all', '--parseable'];
const installed = execFileSync('npm', list, { cwd: root, encoding: 'utf8' }).split('\n');
const names = installed.map((file) => path.relative(root, file));
const packages = names.filter((name) => /node_modules\/(?!@petstore\/|@types\/)/.test(name));
for (const name of packages) {
  const to = path.join(folder, name.replace(/^apps\/server\//, ''));
  if (existsSync(path.join(to, 'package.json'))) throw new Error(`there are two of ${name}`);
  copy(path.join(root, name), to);
}
console.log(
  `${path.relative(process.cwd(), folder) || '.'}: the service and ${packages.length} packages; start it with`,
);
console.log(`  node ${path.relative(process.cwd(), marker)} serve`);
