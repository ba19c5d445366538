import { errorShapesOf } from '@kit/contract/error-shape';
import { isJson } from '@kit/contract/media-type';
import { pipelineErrors } from '@kit/contract/pipeline-errors';
import type { SourceDocument } from '../source-document.ts';

/** The errors that the fake sends, for a contract that lists no codes. */
export function fakeErrorsOf({ document }: SourceDocument) {
  const { most } = errorShapesOf(document);
  const errors = Object.entries(pipelineErrors).map(([code, { status, message }]) => {
    const body = most.shape({ code, message, status });
    return [code, { status, type: most.type, body: isJson(most.type) ? JSON.stringify(body) : String(body) }];
  });
  return Object.fromEntries(errors) as Record<string, { status: number; type: string; body: string }>;
}
