import type { Pointer } from '../json/index.ts';

// The document is read as plain data: its shape is checked by `checkContract`, not by a type.
export type Json = any;

export type { Pointer };

/** A mistake in the contract, at its place. Lines and columns count from 1. */
export interface Problem {
  readonly line: number;
  readonly column: number;
  readonly message: string;
  /** The file, if it is not the contract but one that it refers to. */
  readonly file?: string;
  /** The place in the document that all its files make, if it has one. */
  readonly pointer?: Pointer;
}

/** `FILE:line:column: message`, as editors and terminals link it. */
export function problemLine({ line, column, message, file }: Problem, contract = 'openapi.yaml'): string {
  return `${file ?? contract}:${line}:${column}: ${message}`;
}

/** A line for each message, in their order: identical ones are one line, with at most `most` other places. */
export function problemLines(problems: Iterable<Problem>, contract?: string, most = Infinity): string[] {
  const byMessage = new Map<string, Problem[]>();
  for (const problem of problems)
    byMessage.set(problem.message, [...(byMessage.get(problem.message) ?? []), problem]);
  return [...byMessage.values()].flatMap((same) => {
    const [first, ...others] = [
      ...new Map(same.map((problem) => [problemLine(problem, contract), problem])).values(),
    ];
    if (!first) return [];
    if (others.length === 0) return [problemLine(first, contract)];
    const shown = others.slice(0, most).map(({ file, line, column }) => {
      return `${file === first.file ? '' : `${file ?? contract}:`}${line}:${column}`;
    });
    const more = others.length > most ? ', …' : '';
    return [`${problemLine(first, contract)} (and ${others.length} more: ${shown.join(', ')}${more})`];
  });
}

/** Thrown when openapi.yaml cannot be generated from; nothing has been written then. */
export class ContractError extends Error {
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[], file = 'openapi.yaml') {
    super(problemLines(problems, file).join('\n'));
    this.name = 'ContractError';
    this.problems = problems;
  }
}
