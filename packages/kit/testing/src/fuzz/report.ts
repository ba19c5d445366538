import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Answer, Fault } from './oracle.ts';
import type { Case, Keys } from './requests.ts';

/** A request, and the response to it that breaks the contract. */
interface Broken {
  readonly request: Case;
  readonly faults: readonly Fault[];
  readonly answer?: Answer;
  /** Why the server failed, by its log. */
  readonly causes?: readonly string[];
}

export class Breach extends Error {
  readonly of: Broken;

  constructor(of: Broken) {
    super(of.faults.map(({ found }) => found).join('; '));
    this.of = of;
  }
}

export interface ReportOptions {
  readonly seed: number;
  readonly keys: Keys;
  /** The variable that has the key in the curl line. */
  readonly keyVariable: string;
}

/** An error that says how to reproduce a breach, what was expected and why. */
export function reportOf(
  { of: { request, faults, answer, causes = [] } }: Breach,
  options: ReportOptions,
): Error {
  const { operation } = request;
  const lines = [
    `${operation.id} (${operation.method} ${operation.path}) breaks the contract. Run it again with FUZZ_SEED=${options.seed}.`,
    ...faults.flatMap(({ found, expected, rule }) => [
      '',
      found,
      `  expected: ${expected}`,
      `  rule:     ${rule}`,
    ]),
    '',
    curlOf(request, options),
    ...(answer ? ['', `response: ${answer.status} ${shortened(answer.body)}`.trimEnd()] : []),
    ...(causes.length > 0 ? ['', ...causes] : []),
  ];
  const error = new Error(lines.join('\n'));
  // Its frames would be those of the fuzzer.
  error.stack = error.message;
  return error;
}

const shortened = (text: string) => (text.length > 1_000 ? `${text.slice(0, 1_000)}…` : text);

/** A longer body is in a file, as one with characters that no terminal shows. */
const MOST_IN_LINE = 4_000;

/** The request as a line for a shell, to the address of `npm start`. */
export function curlOf(
  { method, target, headers, body }: Case,
  { keys, keyVariable }: Pick<ReportOptions, 'keys' | 'keyVariable'>,
): string {
  const basic = [keys.usual, keys.limited].map((key) => Buffer.from(`:${key}`).toString('base64'));
  /** In double quotes if it has the key, which only this process knows. */
  const quoted = (text: string) => {
    const secret = [keys.usual, keys.limited, ...basic].find((key) => text.includes(key));
    if (secret === undefined) return `'${text.replaceAll("'", String.raw`'\''`)}'`;
    const inShell = basic.includes(secret) ? `$(printf ':%s' "$${keyVariable}" | base64)` : `$${keyVariable}`;
    return `"${text.replaceAll(/["\\$\u0060]/g, String.raw`\$&`).replace(secret, () => inShell)}"`;
  };
  const isTyped = headers.some(([name]) => name.toLowerCase() === 'content-type');
  // curl would add a type, and rewrite some targets.
  const all = [...headers.map((header) => header.join(': ')), ...(body && !isTyped ? ['Content-Type:'] : [])];
  const flags = [/\/\.{1,2}(\/|$|\?)/.test(target) && '--path-as-is', /[[\]{}]/.test(target) && '--globoff'];
  return [
    'curl --include',
    ...flags.filter((flag) => typeof flag === 'string'),
    method === 'HEAD' ? '--head' : method === 'GET' && body === undefined ? '' : `--request ${method}`,
    quoted(`http://localhost:3000${target}`),
    ...all.map((header) => `--header ${quoted(header)}`),
    body === undefined ? '' : dataOf(body, quoted),
  ]
    .filter(Boolean)
    .join(' ');
}

function dataOf(body: string | Buffer, quoted: (text: string) => string): string {
  const text = body.toString();
  const isShown = typeof body === 'string' && text.length <= MOST_IN_LINE && !/[^\P{C}\n\t]/u.test(text);
  if (isShown) return `--data-raw ${quoted(text)}`;
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'request-')), 'body');
  writeFileSync(file, body);
  return `--data-binary @${file}`;
}
