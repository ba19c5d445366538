/* A service that takes forms with files, and says how many bytes they have. It prints its address and a key. */
import { startForCheck } from '../../src/checking.ts';
import type { AnyHandler } from '../../src/pipeline/dispatch.ts';
import { newFolder } from '@contract-kit/test-support/testing';
import { contractFrom } from '@contract-kit/test-support/contracts';

const contract = contractFrom(`openapi: 3.1.0
info: { title: Uploads, version: 1.0.0 }
security: [{ key: [] }]
paths:
  /uploads:
    post:
      operationId: upload
      x-body-limit: 32000000
      requestBody:
        required: true
        content:
          multipart/form-data:
            schema:
              type: object
              required: [files]
              properties: { files: { type: array, items: { type: string, format: binary } } }
      responses:
        '200': { description: The bytes., content: { application/json: { schema: { type: integer } } } }
components: { securitySchemes: { key: { type: http, scheme: bearer } } }
`);

const upload: AnyHandler = ({ body }) => {
  const { files } = body as { files: readonly File[] };
  return { status: 200, body: files.reduce((sum, { size }) => sum + size, 0) };
};

const { origin, key } = await startForCheck(contract, { dataDir: newFolder(), handlerOf: () => upload });
process.stdout.write(`${JSON.stringify({ origin, key })}\n`);
