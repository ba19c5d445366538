import type { Contract } from '@kit/contract';
import { describedOperation, objectAt } from '@kit/contract/described-operation';
import { isJson } from '@kit/contract/media-type';
import { errorShapesOf, type DescribedError, type PlainError } from '@kit/contract/error-shape';
import { JSON_IN_UTF8, JSON_TYPE } from '../http/raw-json.ts';

/** What the pipeline sends for its own errors, as the contract describes it. */
export interface ErrorBodies {
  /** The body of `error`, as text, in place of the response of an operation, or of none. */
  of(operationId: string | undefined, error: PlainError): { readonly body: string; readonly type: string };
}

/** Makes errors of the shapes of `contract`. */
export function createErrorBodies({ document, operations }: Contract): ErrorBodies {
  const shapes = errorShapesOf(document);
  const known = new Map<string, DescribedError>();

  function shapeOf(operationId: string, status: number): DescribedError {
    const operation = operations[operationId];
    if (!operation) return shapes.most;
    const { definition } = describedOperation(document, operation);
    return shapes.of(objectAt(definition, 'responses'), status);
  }

  return {
    of(operationId, error) {
      const key = `${operationId} ${error.status}`;
      let described = operationId === undefined ? shapes.most : known.get(key);
      if (!described) {
        described = shapeOf(operationId ?? '', error.status);
        known.set(key, described);
      }
      const body = described.shape(error);
      const type = described.type === JSON_TYPE ? JSON_IN_UTF8 : described.type;
      return { body: isJson(type) ? JSON.stringify(body) : String(body), type };
    },
  };
}
