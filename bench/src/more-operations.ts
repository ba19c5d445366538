/** How many operations the longer contract has in addition. */
export const MORE = 40;

type Node = Record<string, unknown>;

const aisles = Array.from({ length: MORE / 2 }, (_, index) => `aisle${index + 1}`);

/** Paths as long as that of an order, and before it in any order, so that who looks for it meets them first. */
export function morePaths(document: Node): Node {
  const paths = document['paths'] as Record<string, Record<string, Node>>;
  const like = paths['/store/orders/{orderId}']?.['delete'];
  if (!like) throw new Error('the contract has no operation to take as a model');
  const parameters = [
    { name: 'id', in: 'path', required: true, schema: { type: 'integer', format: 'int64' } },
  ];
  return Object.fromEntries(
    aisles.map((aisle) => [
      `/store/${aisle}/{id}`,
      Object.fromEntries(
        ['get', 'delete'].map((method) => [
          method,
          { ...like, operationId: `${method}_${aisle}`, parameters },
        ]),
      ),
    ]),
  );
}

/** The same as entries of one of the contract's tables by operationId, each like that of cancelOrder. */
export function moreOperations({ cancelOrder }: { readonly cancelOrder: object }): Node {
  return Object.fromEntries(
    aisles.flatMap((aisle) =>
      ['GET', 'DELETE'].map((method) => [
        `${method.toLowerCase()}_${aisle}`,
        {
          ...cancelOrder,
          ...('method' in cancelOrder && { method, path: `/store/${aisle}/{id}`, int64: ['id'] }),
        },
      ]),
    ),
  );
}
