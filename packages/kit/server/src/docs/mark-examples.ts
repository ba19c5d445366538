import type { Contract } from '@kit/contract';
import { describedOperation } from '@kit/contract/described-operation';

/** `contract` with a document that marks the operations of `examples` as examples. */
export function markExamples(contract: Contract, examples: Readonly<Record<string, object>>): Contract {
  const document = structuredClone(contract.document);
  for (const operationId of Object.keys(examples)) {
    const operation = contract.operations[operationId];
    if (operation) describedOperation(document, operation).definition['x-answers-from-example'] = true;
  }
  return { ...contract, document };
}
