/** A contract with a stream in each format. */
export const streamingText = `openapi: 3.2.0
info: { title: Streams, version: 1.0.0 }
servers: [{ url: /v1 }]
security: [{ key: [] }]
x-rate-limit-plans:
  enterprise: { name: Enterprise, perMinute: custom, perDay: custom }
paths:
  /events:
    get:
      operationId: events
      parameters: [{ name: Last-Event-ID, in: header, schema: { type: string } }]
      responses:
        '200':
          description: Events.
          content:
            text/event-stream:
              itemSchema:
                oneOf:
                  - type: object
                    required: [event]
                    properties:
                      event: { const: text }
                      data: { type: string }
                  - type: object
                    properties:
                      event: { type: string }
                      data: { type: string, contentMediaType: application/json, contentSchema: { $ref: '#/components/schemas/Count' } }
  /old: { get: { operationId: old, responses: { '200': { description: Data., content: { text/event-stream: { schema: { $ref: '#/components/schemas/Count' } } } } } } }
  /counts:
    get:
      operationId: counts
      responses:
        '200':
          description: Counts, whole or as they come.
          content:
            application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Count' } } }
            application/jsonl: { itemSchema: { $ref: '#/components/schemas/Count' } }
            application/x-ndjson: { itemSchema: { $ref: '#/components/schemas/Count' } }
  /chunks:
    post:
      operationId: chunks
      parameters: [{ name: Idempotency-Key, in: header, schema: { type: string } }]
      responses: { '200': { description: Texts., content: { text/event-stream: { schema: { type: string } } } } }
    head: { operationId: headOfChunks, responses: { '200': { description: Texts., content: { text/event-stream: { schema: { type: string } } } } } }
components:
  securitySchemes: { key: { type: http, scheme: bearer } }
  schemas:
    Count: { type: object, required: [n], properties: { n: { type: integer, format: int64 }, long: { type: string } } }
`;
