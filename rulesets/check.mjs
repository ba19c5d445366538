// Holds the document as it is served against the rules of others: Spectral's, OWASP's and Redocly's.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { document } from '@petstore/contract/document';
import { servedDocument } from '../apps/server/src/pages/served-document.ts';

/** Of 100: how well Redocly takes the contract to be read by agents. */
const LEAST_SCORE = 90;

process.chdir(import.meta.dirname);
process.env.REDOCLY_TELEMETRY = 'off';
const { resolve } = createRequire(import.meta.url);
const run = (program, ...args) =>
  execFileSync(process.execPath, [resolve(program), ...args], { encoding: 'utf8', stdio: 'pipe' });

mkdirSync('dist', { recursive: true });
const [production] = document.servers;
writeFileSync('dist/openapi.json', JSON.stringify(servedDocument(document, production), undefined, 2));

try {
  console.log(
    run(
      '@stoplight/spectral-cli',
      'lint',
      'dist/openapi.json',
      '--ruleset=spectral.yaml',
      '--fail-severity=hint',
    ),
  );
  run('@redocly/cli/bin/cli.js', 'lint', 'dist/openapi.json', '--extends=recommended-strict');
  const { agentReadiness } = JSON.parse(
    run('@redocly/cli/bin/cli.js', 'score', 'dist/openapi.json', '--format=json'),
  );
  console.log(`Redocly scores it ${agentReadiness} of 100.`);
  if (agentReadiness < LEAST_SCORE) throw new Error(`it must reach ${LEAST_SCORE}`);
} catch (error) {
  console.error(`rulesets: ${error.stdout || error.stderr || error.message}`);
  process.exitCode = 1;
}
