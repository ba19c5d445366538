import { errorShapesOf, makerOf, type MakeError } from './error-shapes.ts';
import { isJson } from '../http/index.ts';
import { pipelineErrors } from './pipeline-errors.ts';
import { NO_REQUEST_ID } from './error-facts.ts';
import type { Model } from '../model/index.ts';

/**
 * The errors that the fake and nginx send, as the service makes them with `errorBody`, if it has one. `messages` replace
 * those of the pipeline, by code.
 */
export function fakeErrorsOf(
  model: Model,
  errorBody?: MakeError,
  messages: Readonly<Record<string, string>> = {},
) {
  const { most } = errorShapesOf(model);
  const make = makerOf(most, errorBody);
  if (!make) throw new Error('The errors of this contract need errorBody.');
  const errors = Object.entries(pipelineErrors).map(([code, { status, message }]) => {
    const body = make({
      code,
      message: messages[code] ?? message,
      status,
      requestId: NO_REQUEST_ID,
      path: '',
    });
    return [code, { status, type: most.type, body: isJson(most.type) ? JSON.stringify(body) : String(body) }];
  });
  return Object.fromEntries(errors) as Record<string, { status: number; type: string; body: string }>;
}
