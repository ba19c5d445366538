import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { newFolder, REFUSED, refusedWith, withAddress } from '@contract-kit/test-support/testing';
import { describeWith, pathOf } from '@contract-kit/test-support';
import { copyWorkspace } from '@petstore/server/testing';

/*
 * The whole commands, in a network that has only a loopback: a listener there counts connections to the address in a
 * contract, and strace notes each call of connect.
 */

const LISTENER = 8123;
const SERVICE = 8124;
const ADDRESS = `http://127.0.0.1:${LISTENER}`;

/** Calls each tool as an MCP client does. */
const CALLS = [
  {
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
  },
  { method: 'notifications/initialized' },
  { id: 2, method: 'tools/list' },
  ...[
    { name: 'listItems', arguments: { next: ADDRESS } },
    { name: 'addItem', arguments: { note: ADDRESS } },
    { name: 'go', arguments: {} },
  ].map((params, index) => ({ id: index + 3, method: 'tools/call', params })),
]
  .map((message) => JSON.stringify({ jsonrpc: '2.0', ...message }))
  .join('\n');

const KIT = 'node "$KIT"';
const SCRIPT = `
traced() {
  name=$1; shift
  strace -f --seccomp-bpf -e trace=connect -o "$TRACES/$name.trace" "$@" >"$TRACES/$name.log" 2>&1
  echo $? >"$TRACES/$name.code"
}
waitFor() { for _ in $(seq 600); do curl -s -o "$TRACES/waited" "$1" && return; sleep 0.1; done; }

${pathOf('ip')} link set lo up
node -e 'require("net").createServer((s) => { fs.appendFileSync(process.env.TRACES + "/connections", "one "); s.destroy(); }).listen(${LISTENER}, "127.0.0.1")' &
sleep 1
traced control node -e 'fetch("${ADDRESS}").catch(() => 0)'

traced check ${KIT} check evil.yaml
traced refused ${KIT} check --quick refused-*.yaml
traced create ${KIT} create "$PWD/new" --contract evil.yaml --name evil --no-install
ln -s "$PWD/node_modules" new/node_modules; mkdir node_modules/@evil; cd new
for name in contract client; do ln -s "$PWD/packages/$name" node_modules/@evil/; done
traced generate ${KIT} generate --check
traced diff ${KIT} diff
traced fill ${KIT} fill
traced todo ${KIT} todo

traced service node --import tsx apps/server/src/main.ts serve --demo --port ${SERVICE} &
waitFor http://127.0.0.1:${SERVICE}/healthz
for page in docs docs.md openapi.json openapi.yaml; do curl -s "http://127.0.0.1:${SERVICE}/$page" >"$TRACES/$page.page"; done
traced browser "$CHROMIUM" --headless --no-sandbox --disable-gpu --user-data-dir="$TRACES/profile" --virtual-time-budget=5000 --dump-dom http://127.0.0.1:${SERVICE}/docs
export EVIL_BASE_URL=http://127.0.0.1:${SERVICE}/v1 EVIL_API_KEY=$(grep -o 'evil_[[:alnum:]]*' "$TRACES/service.log" | head -1)
{ echo "$CALLS"; for _ in $(seq 600); do grep -q '"id":5' "$TRACES/tools.log" && break; sleep 0.1; done; } | traced tools node --import tsx packages/mcp/src/main.ts
`;

describeWith(['unshare', 'ip', 'strace', 'curl', 'Chromium'], 'a contract full of addresses', () => {
  const workspace = copyWorkspace();
  const traces = newFolder();
  const read = (name: string) => readFileSync(path.join(traces, name), 'utf8');
  const commands = ['check', 'create', 'generate', 'diff', 'fill', 'todo'];

  beforeAll(() => {
    writeFileSync(workspace.file('evil.yaml'), withAddress(ADDRESS));
    for (const [index, [, , change]] of REFUSED.entries())
      writeFileSync(workspace.file(`refused-${index}.yaml`), refusedWith(change(ADDRESS)));
    mkdirSync(traces, { recursive: true });
    const own = Object.entries(process.env).filter(([name]) => !/^(turbo|npm|jest|test|node)_/i.test(name));
    const KIT = workspace.file('packages/kit/cli/bin/contract-kit.js');
    const env = { KIT, TRACES: traces, CALLS, CHROMIUM: pathOf('Chromium'), DATA_DIR: newFolder() };
    const network = ['--map-root-user', '--net', '--pid', '--fork', '--kill-child', '--mount-proc'];
    spawnSync('unshare', [...network, 'sh', '-c', SCRIPT], {
      cwd: workspace.folder,
      env: { ...Object.fromEntries(own), ...env },
    });
  });

  test('is served, and every command ends as it should', () => {
    const codes = [...commands, 'refused', 'browser', 'tools'].map((name) => [
      name,
      read(`${name}.code`).trim(),
    ]);
    expect(Object.fromEntries(codes)).toEqual({
      ...Object.fromEntries([...commands, 'browser', 'tools'].map((name) => [name, '0'])),
      refused: '1',
    });
    expect(read('check.log')).toMatch(/^evil\.yaml: works\n/m);
    expect(read('browser.log')).toContain('<h1');
    // A redirect is the result of a tool, which does not follow it.
    expect(read('tools.log')).toMatch(/^.*Elsewhere.*"id":5\}$/m);
  });

  test('makes no command connect to any address of it, or look up a host', () => {
    expect(read('control.trace')).toContain(`htons(${LISTENER})`);
    expect(read('connections')).toBe('one ');
    const others = readdirSync(traces).filter((name) => name.endsWith('.trace') && name !== 'control.trace');
    expect(others).toHaveLength(commands.length + 4);
    for (const name of others) {
      const calls = read(name)
        .split('\n')
        .filter((line) => /AF_INET/.test(line));
      expect(calls.filter((line) => line.includes(`htons(${LISTENER})`))).toEqual([]);
      // Chromium asks its maker's hosts.
      if (name !== 'browser.trace')
        expect(
          calls.filter((line) => !/"(::ffff:)?127\.0\.0\.1"|"::1"/.test(line) || /htons\(53\)/.test(line)),
        ).toEqual([]);
    }
    expect(existsSync(path.join(traces, 'waited'))).toBe(true);
  });
});
