import type { Contract } from '@contract-kit/core';
import { modelOf, type OperationObject } from '@contract-kit/core/model';

const IS_EXAMPLE: OperationObject = { 'x-answers-from-example': true };

/** `contract` with a document that marks the operations of `examples` as examples. */
export function markExamples(contract: Contract, examples: Readonly<Record<string, object>>): Contract {
  const document = structuredClone(contract.document);
  const model = modelOf(document);
  for (const operationId of Object.keys(examples)) {
    const operation = contract.operations[operationId];
    if (operation) Object.assign(model.operationAt(operation).definition, IS_EXAMPLE);
  }
  return { ...contract, document };
}
