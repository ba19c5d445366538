import path from 'node:path';
import { parseDocument } from 'yaml';
import {
  parseContract,
  problemLine,
  writtenOut,
  YAML,
  type Pointer,
  type SourceDocument,
} from '@contract-kit/core/openapi';
import { checkContract } from '../rules/check-contract.ts';
import type { Rest } from '../rules/leave-out.ts';

/** `GET /loans: openapi.yaml:4:5: why`, for each operation that is left out of the contract in `file`. */
export function leftOutLines({ leftOut }: Rest, file: string): string[] {
  return leftOut.map(({ name, problem }) => `${name}: ${problemLine(problem, path.basename(file))}`);
}

/** The section of the README about what is left out; empty if nothing is. */
export function leftOutSection(lines: readonly string[]): string {
  if (lines.length === 0) return '';
  const what = 'These parts of the contract could not be served, and are not in `openapi.yaml`:';
  return `\n## Left out\n\n${what}\n\n~~~text\n${lines.join('\n')}\n~~~\n`;
}

/** The rest of a contract as a text: as it was written, without what is left out. */
export function textOf({ contract, places }: Rest): string {
  return (contract.files.size === 1 && textWithout(contract, places)) || writtenOut(contract.document);
}

/** Undefined if what is left out has something that the rest needs, such as an anchor or a path item that others refer to. */
function textWithout(rest: SourceDocument, places: readonly Pointer[]): string | undefined {
  const yaml = parseDocument(rest.files.get('')?.text ?? '', YAML);
  try {
    for (const place of places) yaml.deleteIn(rest.writtenAt(place).pointer);
    const text = yaml.toString({ lineWidth: 0 });
    const copy = parseContract(text);
    const isWhole = copy.model.operations.length === rest.model.operations.length;
    return isWhole && checkContract(copy).length === 0 ? text : undefined;
  } catch {
    return undefined;
  }
}
