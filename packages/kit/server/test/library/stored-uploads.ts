/* A service that stores how many bytes arrive: in a form, as they are, or in JSON. It is a command too. */
import { defineService, runCommand, type Database, type Feature } from '../../src/index.ts';
import type { AnyHandler } from '../../src/pipeline/dispatch.ts';
import { migrationsWith } from '../support/migrations.ts';
import { contractFrom } from '@contract-kit/test-support/contracts';

const created = "responses: { '201': { description: It is stored. } }";

const contract = contractFrom(`openapi: 3.1.0
info: { title: Uploads, version: 1.0.0 }
security: [{ key: [] }]
x-rate-limit-plans: { enterprise: { name: Enterprise, perMinute: custom, perDay: custom } }
paths:
  /uploads:
    put:
      operationId: upload
      x-body-limit: 1000000
      requestBody:
        required: true
        content:
          multipart/form-data:
            schema: { type: object, required: [file], properties: { file: { type: string, format: binary } } }
          image/*: {}
          application/json: { schema: { type: object } }
      ${created}
components: { securitySchemes: { key: { type: http, scheme: bearer } } }
`);

const open = ({ query }: Database) => ({
  add: (bytes: number) => query('INSERT INTO uploads VALUES ($1)', [bytes]),
  count: async () => (await query('SELECT 1 FROM uploads')).length,
});

const uploads: Feature<ReturnType<typeof open>, Record<string, AnyHandler>> = {
  migrations: migrationsWith('CREATE TABLE uploads (bytes integer NOT NULL)'),
  open,
  handlers: ({ store }) => ({
    async upload({ body }) {
      const { file = body } = body as { file?: unknown };
      await store.add(file instanceof Blob ? file.size : JSON.stringify(file).length);
      return { status: 201 };
    },
  }),
};

export const storedUploads = defineService(
  contract,
  { uploads },
  { version: '1.0.0', description: 'Stores uploads.' },
);

if (process.argv[1] === import.meta.filename) await runCommand(storedUploads);
