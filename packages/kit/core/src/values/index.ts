/*
 * The one maker of values: examples of the contract where they fit, values of a schema elsewhere, and what is wrong with one.
 */

export { choicesFrom, nthChoice } from './choices.ts';
export { exampleOf } from './example-of.ts';
export { type Values, valuesIn } from './fitting.ts';
export { makeValue, type WithExamples } from './maker.ts';
export { type Direction, violationsIn } from './violations.ts';
