// Runs modules one after another, each with its own console, and writes what became of each as JSON.
import { pathToFileURL } from 'node:url';

const results = [];
for (const file of process.argv.slice(2)) {
  /** @type {unknown[]} */
  const printed = [];
  console.log = (...items) => printed.push(...items);
  try {
    await import(pathToFileURL(file).href);
    results.push({ printed });
  } catch (error) {
    results.push({ printed, error: String(error) });
  }
}
process.stdout.write(JSON.stringify(results, (_name, item) => (typeof item === 'bigint' ? `${item}` : item)));
