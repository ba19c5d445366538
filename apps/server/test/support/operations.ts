/* Operations to add, each with its handler: two path parameters, a text, no tag and no key, a body, and its own error. */

interface AddedOperation {
  readonly id: string;
  readonly path: string;
  /** The operation in YAML, as in the path item. */
  readonly text: string;
  /** The folder of its feature. */
  readonly feature: 'orders' | 'pets';
  readonly handler: string;
}

const parameter = (name: string, schema: string, example: string) =>
  `        - { name: ${name}, in: path, required: true, description: Which one., schema: ${schema}, example: ${example} }\n`;
const optional = (name: string, place: 'query' | 'header', schema: string, example: string) =>
  `        - { name: ${name}, in: ${place}, description: Changes nothing., schema: ${schema}, example: ${example} }\n`;
const ORDER_ID = parameter('orderId', '{ type: integer, format: int64, minimum: 1 }', '1');
const PET_ID = parameter('petId', '{ type: integer, format: int64 }', '12');
const json = (schema: string, example: string) =>
  `application/json: { schema: { $ref: "#/components/schemas/${schema}" }, example: ${example} }`;
const success = (status: number, content: string) =>
  `        "${status}": { description: Done., headers: *headers, content: { ${content} } }\n`;
const failure = (status: number, code: string) =>
  `        "${status}": { description: It failed., x-error-codes: [${code}], headers: *headers, content: { ${json(
    'Error',
    `{ code: ${code}, message: It failed., status: ${status} }`,
  )} } }\n`;
const refusal = (status: number, name: string) =>
  `        "${status}": { $ref: "#/components/responses/${name}" }\n`;
const UNAUTHORIZED = refusal(401, 'Unauthorized');
const ALWAYS =
  refusal(400, 'BadRequest') +
  refusal(429, 'TooManyRequests') +
  refusal(500, 'InternalError') +
  refusal(503, 'ServiceUnavailable');

export const addedOperations: readonly AddedOperation[] = [
  {
    id: 'getOrder',
    path: '/store/orders/{orderId}',
    text: `    get:
      operationId: getOrder
      tags: [orders]
      summary: Get an order
      parameters:
${ORDER_ID}${optional('note', 'query', '{ type: string, maxLength: 20 }', 'hello')}      responses:
${success(200, json('Order', '{ id: 1 }'))}${failure(404, 'order_lost')}${UNAUTHORIZED}${ALWAYS}`,
    feature: 'orders',
    handler: `    async getOrder({ path: { orderId } }) {
      for await (const batch of store.stored()) {
        const id = Number(orderId);
        if (batch.some((order) => order.id === id)) return { status: 200, body: { id } };
      }
      return errorResponse(404, 'order_lost', 'not found');
    },
`,
  },
  {
    id: 'getLabel',
    path: '/store/orders/{orderId}/labels/{language}',
    text: `    get:
      operationId: getLabel
      tags: [orders]
      summary: Get the label of an order
      parameters:
${ORDER_ID}${parameter('language', '{ type: string, maxLength: 8 }', 'en')}      responses:
${success(200, 'text/plain: { schema: { type: string }, example: One Rex. }')}${UNAUTHORIZED}${ALWAYS}`,
    feature: 'orders',
    handler: '    getLabel: ({ path }) => ({ status: 200, body: `${path.language} ${path.orderId}` }),\n',
  },
  {
    id: 'getPetCard',
    path: '/pets/{petId}/card',
    text: `    get:
      operationId: getPetCard
      security: []
      summary: Get the card of a pet
      parameters:
${PET_ID}      responses:
${success(200, json('Pet', '{ id: 12 }'))}${ALWAYS}`,
    feature: 'pets',
    handler: "    getPetCard: () => ({ status: 200, body: { name: 'Rex' } }),\n",
  },
  {
    id: 'placeOrder',
    path: '/store/orders',
    text: `    post:
      operationId: placeOrder
      tags: [orders]
      summary: Place an order
      requestBody:
        required: true
        content: { ${json('Order', '{ quantity: 1 }')} }
      responses:
${success(201, json('Order', '{ quantity: 1 }'))}${refusal(413, 'PayloadTooLarge')}${refusal(415, 'UnsupportedMediaType')}${UNAUTHORIZED}${ALWAYS}`,
    feature: 'orders',
    handler: '    placeOrder: ({ body: { quantity = 1 } }) => ({ status: 201, body: { quantity } }),\n',
  },
  {
    id: 'changeOrder',
    path: '/store/orders/{orderId}',
    text: `    put:
      operationId: changeOrder
      tags: [orders]
      summary: Change an order
      parameters:
${ORDER_ID}${optional('notify', 'query', '{ type: boolean }', 'true')}${optional('X-Reason', 'header', '{ type: string, maxLength: 20 }', 'sold out')}      requestBody:
        required: true
        content: { ${json('Order', '{ quantity: 1 }')} }
      responses:
${success(200, json('Order', '{ quantity: 1 }'))}${failure(404, 'order_lost')}${failure(409, 'order_locked')}${refusal(413, 'PayloadTooLarge')}${refusal(415, 'UnsupportedMediaType')}${UNAUTHORIZED}${ALWAYS}`,
    feature: 'orders',
    handler: `    changeOrder: ({ query, headers, body }) =>
      query.notify === true && headers['X-Reason'] === undefined
        ? errorResponse(409, 'order_locked', 'locked')
        : { status: 200, body: { quantity: body.quantity ?? 1 } },
`,
  },
];

/** A response that only an operation with a body has. */
const ofBody = (status: number, name: string, code: string) => `    ${name}:
      description: It failed.
      x-error-codes: [${code}]
      headers: *headers
      content:
        ${json('Error', `{ code: ${code}, message: It failed., status: ${status} }`)}
`;
const OF_BODIES =
  ofBody(413, 'PayloadTooLarge', 'payload_too_large') +
  ofBody(415, 'UnsupportedMediaType', 'unsupported_media_type');
const TOO_LARGE = '  payload_too_large: { status: 413, description: The body is too large. }\n';

/** The contract with `operations` and the components that they use. */
export function withOperations(contract: string, operations: readonly AddedOperation[]): string {
  let text = contract.replace(
    /^x-error-codes:\n/m,
    (codes) =>
      `${codes}  order_lost: { status: 404, description: The order is lost. }\n  order_locked: { status: 409, description: The order is locked. }\n`,
  );
  if (operations.some((operation) => operation.text.includes('requestBody')))
    text = text
      .replace(/^x-error-codes:\n/m, (codes) => codes + TOO_LARGE)
      .replace(/^ {4}InternalError:\n/m, (response) => OF_BODIES + response);
  for (const operation of operations) {
    const item = `  ${operation.path}:\n`;
    text = text.includes(item) ? text.replace(item, item + operation.text) : text + item + operation.text;
  }
  return text;
}

/** The handlers of a feature, with those of `operations` added. */
export function withHandlers(source: string, operations: readonly AddedOperation[]): string {
  return source
    .replace(/^type Handled = Pick<Operations, (.*)>;$/m, (_line, handled: string) => {
      const ids = [...operations.map(({ id }) => `'${id}'`), handled].join(' | ');
      const line = `type Handled = Pick<Operations, ${ids}>;`;
      // As Prettier writes it.
      return line.length <= 110 ? line : `type Handled = Pick<\n  Operations,\n  ${ids}\n>;`;
    })
    .replace(/^ {2}return \{\n/m, (line) => line + operations.map(({ handler }) => handler).join(''));
}
