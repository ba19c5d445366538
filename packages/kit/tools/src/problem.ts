// The document is read as plain data: its shape is checked by `checkContract`, not by a type.
export type Json = any;

export type Pointer = readonly (string | number)[];

/** A mistake in the contract, at its place. Lines and columns count from 1. */
export interface Problem {
  readonly line: number;
  readonly column: number;
  readonly message: string;
  /** The file, if it is not the contract but one that it refers to. */
  readonly file?: string;
}

/** `FILE:line:column: message`, as editors and terminals link it. */
export function lineOf({ line, column, message, file }: Problem, contract = 'openapi.yaml'): string {
  return `${file ?? contract}:${line}:${column}: ${message}`;
}

/** Thrown when openapi.yaml cannot be generated from; nothing has been written then. */
export class ContractError extends Error {
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[], file = 'openapi.yaml') {
    super(problems.map((problem) => lineOf(problem, file)).join('\n'));
    this.name = 'ContractError';
    this.problems = problems;
  }
}
