import type { Feature } from './row.ts';
import { chapters } from './features.ts';

const INTRODUCTION = `<!-- Generated from packages/contract-tools/src/support by \`npm run generate\`. Edit what is there instead. -->

# OpenAPI that is supported

Everything follows from \`openapi.yaml\`. What _works_ here works all the way: the handler gets it in its types, a request that differs is refused, the client sends and returns it, the pages show it, replies and fuzzing are held against it, and \`npm run contract:diff\` judges its changes.

What is _refused_ is refused by \`npm run generate\` before anything is written, with its place and with what to write instead:

\`\`\`
openapi.yaml:142:11: not supported: cookie parameters; take the value from a header: in: header
\`\`\`

Nothing is accepted and then ignored: a field or keyword that is not in these tables (\`not\`, \`patternProperties\`, \`webhooks\`, \`links\`) is refused too, and so is an extension whose name is nearly one of ours, such as \`x-stabilty\`. Every row is tried by a test.

## What every contract has

The service asks for more than OpenAPI does. [A small contract](../packages/contract-tools/test/support/contract.yaml) keeps to all of it: a contract that comes from elsewhere takes over its \`x-rate-limit-plans\`, \`x-error-codes\`, headers, responses and \`Error\`.

- \`info.version\` is three numbers; the path of each server ends in \`/v\` and the first of them, and the description of one begins with Production.
- \`security\` says what all operations ask for that do not say it themselves; \`[]\` is nothing.
- \`x-rate-limit-plans\` are the plans, one of which is \`free\`.
- \`x-error-codes\` are the codes of all errors, each with its status and a description, and what the service answers by itself is among them.
- The schema \`Error\` has \`code\`, \`message\` and \`status\`. It is the body of every response from 400, in JSON, which lists its codes in \`x-error-codes\`.
- An operation has an \`operationId\` in camelCase, and what the service may answer in its place: 400, 429, 500 and 503, with 401 where it asks for a key and 415 where it takes a body.
- A response has \`X-RateLimit-Limit\`, \`X-RateLimit-Remaining\`, \`X-RateLimit-Reset\` and \`X-Request-Id\`, a 401 also \`WWW-Authenticate\`, a 429 and a 503 also \`Retry-After\`; a body that can be read has an example.
- An id (\`id\`, \`petId\`) is text or \`{ type: integer, format: int64 }\`, and one of a name other than \`id\` is the same everywhere.
`;

/** docs/contract.md: every feature, and whether it works. Laid out as Prettier would. */
export function contractPage(): string {
  const sections = Object.entries(chapters).map(([title, features]) => `## ${title}\n\n${table(features)}`);
  return [INTRODUCTION, ...sections].join('\n');
}

function table(features: readonly Feature[]): string {
  const rows = [
    ['Feature', 'Verdict', 'What to know, or to write instead'],
    ...features.map(({ name, verdict, advice }) => [capitalized(name), verdict, capitalized(advice)]),
  ].map((cells) => cells.map((cell) => cell.replaceAll('|', '\\|')));
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((cells) => cells[column]?.length ?? 0)));
  const [head, ...body] = rows.map((cells) => {
    return `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  });
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  return `${[head, rule, ...body].join('\n')}\n`;
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
