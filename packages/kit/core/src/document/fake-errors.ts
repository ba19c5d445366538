import { errorShapesOf, type ErrorShape } from '../error-shape.ts';
import { isJson } from '../media-type.ts';
import { pipelineErrors } from '../pipeline-errors.ts';
import { NO_REQUEST_ID } from '../plain-error.ts';
import type { SourceDocument } from './source-document.ts';

/**
 * The errors that the fake and nginx send, in the shape of the contract or made by the service. `messages` replace
 * those of the pipeline, by code.
 */
export function fakeErrorsOf(
  { document }: SourceDocument,
  make?: ErrorShape,
  messages: Readonly<Record<string, string>> = {},
) {
  const { most } = errorShapesOf(document);
  const shape = make ?? most.shape;
  const errors = Object.entries(pipelineErrors).map(([code, { status, message }]) => {
    const body = shape({ code, message: messages[code] ?? message, status, requestId: NO_REQUEST_ID });
    return [code, { status, type: most.type, body: isJson(most.type) ? JSON.stringify(body) : String(body) }];
  });
  return Object.fromEntries(errors) as Record<string, { status: number; type: string; body: string }>;
}
