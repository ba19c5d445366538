import { readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../../..');

test.each([
  ['package.json', ['start', 'dev', 'cluster']],
  ['apps/server/package.json', ['dev', 'start']],
  ['packages/kit/cli/templates/created/package.json.tmpl', ['start', 'service', 'dev']],
])(
  'the scripts of %s that serve replace their shell, so that a signal reaches the service',
  (file, names) => {
    const { scripts } = JSON.parse(readFileSync(path.join(root, file), 'utf8')) as {
      scripts: Record<string, string>;
    };
    const serving = Object.entries(scripts).filter(([, script]) =>
      /service\.js|cluster\.ts|kit dev$|run dev$|\bpetstore$/.test(script),
    );
    expect(serving.map(([name]) => name)).toEqual(names);
    for (const [, script] of serving) expect(script).toMatch(/^(.* && )?exec [^&]+$/);
  },
);
