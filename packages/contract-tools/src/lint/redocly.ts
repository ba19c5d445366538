import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';

const redocly = createRequire(import.meta.url).resolve('@redocly/cli/bin/cli.js');

/**
 * Runs a command of Redocly in `folder` and returns the report that it prints. Its exit code says what the report says,
 * so only a run without a report is a failure.
 */
export async function runRedocly<Report>(args: readonly string[], folder: string): Promise<Report> {
  const { error, stdout, stderr } = await run([redocly, ...args, '--format=json'], folder);
  if (!stdout.startsWith('{')) {
    throw new Error(`redocly ${args[0]} failed:\n${stderr || stdout}`, { cause: error });
  }
  return JSON.parse(stdout) as Report;
}

interface Ending {
  readonly error: Error | null;
  readonly stdout: string;
  readonly stderr: string;
}

function run(args: readonly string[], cwd: string): Promise<Ending> {
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) =>
      resolve({ error, stdout, stderr }),
    );
  });
}
