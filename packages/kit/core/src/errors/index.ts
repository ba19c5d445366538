/*
 * The errors that the pipeline sends: their codes, statuses and texts, which of them an operation may send, and the bodies that
 * a contract wants for them.
 */

export {
  type ErrorShape,
  errorShapesOf,
  type MakeError,
  makerOf,
  responseValidatorsOf,
} from './error-shapes.ts';
export { errorsOf, invalidStatusOf, type OperationError, statusFor } from './errors.ts';
export { fakeErrorsOf } from './fake-errors.ts';
export { meaningOfError, pipelineErrors } from './pipeline-errors.ts';
export { NO_REQUEST_ID, type ErrorFacts, type Violation } from './error-facts.ts';
export * as errorTexts from './texts.ts';
