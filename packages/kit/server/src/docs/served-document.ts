import type { OperationObject } from '@contract-kit/core/model';
import type { Document } from './openapi.ts';
import { samplesOf } from './samples.ts';
import { isExample, type Served } from './served.ts';

/** The document that is served: with code samples, and a mark at the operations that respond with examples. */
export function servedDocument(served: Served): Document {
  const { document, model } = served;
  const paths: Record<string, Record<string, OperationObject>> = { ...document.paths };
  for (const operation of model.operations) {
    const { method, path, definition } = operation;
    paths[path] = {
      ...paths[path],
      [method.toLowerCase()]: {
        ...definition,
        ...(isExample(served, operation) && { 'x-answers-from-example': true }),
        'x-codeSamples': samplesOf(served, operation),
      },
    };
  }
  return { ...document, paths };
}
