/* What requests are made with: `@kit/server/fuzzer/inputs`. */
export { operationsIn, type Operation } from './operations.ts';
export { fittingTexts, textIn, verdictOn, verdictOnList } from './texts.ts';
export { createFits, fittingValues, hasExactNumbers } from './values.ts';
