import { errorShapesOf, type ErrorShape } from '@contract-kit/core/error-shape';
import { isJson } from '@contract-kit/core/media-type';
import { pipelineErrors } from '@contract-kit/core/pipeline-errors';
import type { SourceDocument } from '@contract-kit/core/source-document';

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
    const body = shape({ code, message: messages[code] ?? message, status });
    return [code, { status, type: most.type, body: isJson(most.type) ? JSON.stringify(body) : String(body) }];
  });
  return Object.fromEntries(errors) as Record<string, { status: number; type: string; body: string }>;
}
