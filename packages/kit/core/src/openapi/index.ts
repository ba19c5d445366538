/*
 * OpenAPI documents: read from files, checked against the grammar, bundled, completed with what the pipeline adds, and written
 * as the value of a contract. It does not run in browsers.
 */

export { additionsTo, completed } from './complete.ts';
export { contractOf, publishedValue } from './contract-value.ts';
export { examplesIn } from './examples.ts';
export { declaredHeadersOf, serverName, serversOf } from './operations.ts';
export { inlinedDocument } from './inlined-document.ts';
export {
  ContractError,
  type Json,
  type Pointer,
  type Problem,
  problemLine,
  problemLines,
} from './problem.ts';
export { GRAMMAR, isData, type Kind } from './read/grammar.ts';
export { isPattern, quickLengthOf } from './read/slow-pattern.ts';
export { parseSource, YAML } from './read/source.ts';
export { type Node, walk } from './read/walk.ts';
export {
  documentWith,
  inOneFile,
  openBelow,
  parseContract,
  readContract,
  type Reading,
  type SourceDocument,
  writtenOut,
} from './source-document.ts';
