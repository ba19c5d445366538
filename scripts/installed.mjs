// Ends a script with one line if Node.js is too old for it, or the packages are not installed.
import { readFileSync } from 'node:fs';

const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const [oldestMajor, oldestMinor] = engines.node.replace('>=', '').split('.').map(Number);
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < oldestMajor || (major === oldestMajor && minor < oldestMinor))
  fail(
    `Node.js ${process.versions.node} is too old. Install Node.js ${oldestMajor}.${oldestMinor} or newer.`,
  );
try {
  import.meta.resolve('@contract-kit/cli/package.json');
} catch {
  fail('The packages are not installed. Run `npm ci`.');
}

/** @param {string} message */
function fail(message) {
  console.error(message);
  process.exit(1);
}
