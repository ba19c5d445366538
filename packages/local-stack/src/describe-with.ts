import { chromiumPath } from './chromium.ts';
import { hasNginx } from './nginx.ts';
import { hasPostgres } from './postgres.ts';
import { findProgram } from './program.ts';
import { hasRedis } from './redis.ts';

const installed = {
  PostgreSQL: hasPostgres,
  Redis: hasRedis,
  nginx: hasNginx,
  Chromium: chromiumPath !== undefined,
  curl: findProgram('curl') !== undefined,
  Python: findProgram('python3') !== undefined,
  systemd: findProgram('systemd-analyze') !== undefined,
  promtool: findProgram('promtool') !== undefined,
  unshare: findProgram('unshare') !== undefined,
};

/**
 * A suite that needs other programs. Where one is missing it is skipped, and one line says what was; with CI set
 * that is a failure, because there everything is to be run.
 */
export function describeWith(
  programs: readonly (keyof typeof installed)[],
  title: string,
  suite: () => void,
): void {
  const missing = programs.filter((name) => !installed[name]);
  if (missing.length === 0) {
    describe(title, suite);
    return;
  }
  const line = `skipped, because ${missing.join(' and ')} is not installed: ${title}`;
  if (process.env['CI']) {
    test(title, () => {
      throw new Error(line);
    });
    return;
  }
  process.stderr.write(`${line}\n`);
  test.todo(line);
}
