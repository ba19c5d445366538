import { judge } from '../../src/diff/gate.ts';
import { parseContract } from '@contract-kit/core/openapi';

/** A contract with every part that a row changes. */
export const SHOP = `openapi: 3.1.0
info: { title: A shop, version: 1.0.0 }
servers: [{ url: https://shop.example/v1, description: Production }]
security: [{ apiKey: [] }]
x-error-codes:
  no_book: { status: 404, description: There is no such book. }
  internal_error: { status: 500, description: The server failed. }
paths:
  /loans:
    get:
      operationId: listLoans
      summary: List loans
      parameters:
        - { name: page, in: query, schema: { type: integer, default: 1 } }
        - { name: tag, in: query, explode: true, schema: { type: array, items: { type: string } } }
        - { name: X-Trace, in: header, schema: { type: string } }
      responses:
        '200':
          description: Loans.
          headers:
            X-Total: { required: true, schema: { type: integer } }
            Link: { schema: { type: string } }
          content: { application/json: { schema: { $ref: '#/components/schemas/Loan' } } }
        '304': { description: Not modified. }
    post:
      operationId: createLoan
      requestBody:
        required: true
        content: { application/json: { schema: { $ref: '#/components/schemas/NewLoan' } } }
      responses:
        '201': { description: Created., content: { application/json: { schema: { type: object, properties: { ok: { type: boolean } } } } } }
  /books/{bookId}:
    get:
      operationId: getBook
      deprecated: true
      x-deprecated-since: '2026-01-01'
      x-deprecated-sunset: '2026-11-30'
      parameters:
        - { name: bookId, in: path, required: true, schema: { type: integer } }
      responses:
        '200': { description: A book., content: { application/json: { schema: { $ref: '#/components/schemas/Book' } } } }
        '404': { description: None., x-error-codes: [no_book] }
  /shelf: { $ref: '#/components/pathItems/Shelf' }
components:
  securitySchemes:
    apiKey: { type: http, scheme: bearer }
  parameters:
    Since: { name: since, in: query, schema: { type: string } }
  pathItems:
    Shelf: { put: { operationId: fillShelf, parameters: [{ name: row, in: query, schema: { type: integer } }], responses: {} } }
  schemas:
    NewLoan:
      type: object
      required: [count]
      properties:
        count: { type: integer }
        note: { type: string, default: none }
        gift: { type: boolean }
    Loan:
      type: object
      required: [id]
      properties:
        id: { type: integer }
        hint: { type: string, x-extensible-enum: [big, small] }
        kind: { type: string }
    Book: { type: object, properties: { name: { type: string } } }
    Unused: { type: string }
`;

/** The verdict on one contract after another, on a day after the sunset in SHOP. */
export function judged(base: string, revision: string, today = '2026-12-01') {
  return judge(parseContract(base), parseContract(revision), today);
}

/** Every change from one contract to another. */
export function compare(base: string, revision: string): string[] {
  const { changes } = judged(base, revision);
  return changes.map(({ impact, subject, what }) => `${impact}: ${subject}: ${what}`);
}
