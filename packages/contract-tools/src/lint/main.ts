import { parseArgs } from 'node:util';
import { ContractError } from '../contract.ts';
import { root } from '../workspace.ts';
import { lintContracts } from './lint-contracts.ts';

const USAGE = `Usage: npm run contract:lint

Holds openapi.yaml against Redocly's recommended rules and the house rules (packages/contract-tools/src/lint), and prints
every mistake with its line and column. Exits 1 if there is one.`;

async function main(): Promise<number> {
  const { values } = parseArgs({ options: { help: { type: 'boolean' } } });
  if (values.help) {
    console.log(USAGE);
    return 0;
  }
  const findings = await lintContracts(['openapi.yaml'], root);
  for (const { file, line, column, message, rule } of findings) {
    console.error(`${file}:${line}:${column}: ${message} (${rule})`);
  }
  if (findings.length === 0) console.log('openapi.yaml keeps to every rule.');
  return findings.length === 0 ? 0 : 1;
}

main().then(
  (code) => (process.exitCode = code),
  (error: unknown) => {
    const usage =
      error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
    if (usage) console.error(`${error.message}\n\n${USAGE}`);
    else console.error(error instanceof ContractError ? error.message : error);
    process.exitCode = usage ? 2 : 1;
  },
);
