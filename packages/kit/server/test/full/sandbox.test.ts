import { describeWith } from '@contract-kit/test-support';
import { useBrowser } from '@contract-kit/test-support/browser';
import { startForCheck } from '../../src/checking.ts';
import { newFolder } from '@contract-kit/test-support/testing';
import type { AnyHandler } from '../../src/pipeline/dispatch.ts';
import { contractFrom } from '@contract-kit/test-support/contracts';

/* Files with scripts, in a browser. */

const contract = contractFrom(`openapi: 3.1.0
info: { title: Files, version: 1.0.0 }
paths:
  /files/{type}:
    get:
      operationId: getFile
      parameters: [{ name: type, in: path, required: true, schema: { type: string } }]
      responses: { '200': { description: The file., content: { '*/*': { schema: { type: string, format: binary } } } } }
  /pages/{type}:
    get:
      operationId: getPage
      parameters: [{ name: type, in: path, required: true, schema: { type: string } }]
      responses: { '200': { description: The page., content: { text/html: { schema: { type: string } } } } }
`);

const NAMESPACE = 'http://www.w3.org/1999/xhtml';
const SCRIPT = 'document.documentElement.setAttribute("data-ran", "yes")';
const SOURCES: Readonly<Record<string, string>> = {
  'text/html': `<!doctype html><html><body onload='${SCRIPT}'><p>shown</p><script>${SCRIPT}</script></body></html>`,
  'image/svg+xml': `<svg xmlns="http://www.w3.org/2000/svg" onload='${SCRIPT}'><text y="20">shown</text><script>${SCRIPT}</script></svg>`,
  'application/xhtml+xml': `<html xmlns="${NAMESPACE}"><body><p>shown</p><script>${SCRIPT}</script></body></html>`,
  'application/xml': `<list><p xmlns="${NAMESPACE}">shown</p><script xmlns="${NAMESPACE}">${SCRIPT}</script></list>`,
  'text/xml': `<list><p xmlns="${NAMESPACE}">shown</p><script xmlns="${NAMESPACE}">${SCRIPT}</script></list>`,
};
const sourceOf = (type: unknown) => SOURCES[String(type)] ?? '';

const handlers: Readonly<Record<string, AnyHandler>> = {
  getFile: ({ path }) => ({
    status: 200,
    body: new Blob([sourceOf(path['type'])], { type: String(path['type']) }),
  }),
  getPage: ({ path }) => ({ status: 200, body: sourceOf(path['type']) }),
};

describeWith(['Chromium'], 'a file that a browser opens', () => {
  const browser = useBrowser();
  let service: Awaited<ReturnType<typeof startForCheck>>;
  beforeAll(async () => {
    const handlerOf = (id: string) => handlers[id] as AnyHandler;
    service = await startForCheck(contract, { dataDir: newFolder(), handlerOf });
  });
  afterAll(() => service.stop());

  async function open(folder: string, type: string) {
    const page = await browser.visit(`${service.origin}/${folder}/${encodeURIComponent(type)}`);
    const root = page.locator(':root');
    return [await root.getAttribute('data-ran'), await root.textContent()];
  }

  test.each(Object.keys(SOURCES))('runs no scripts of %s, and shows it', async (type) => {
    expect(await open('files', type)).toEqual([null, expect.stringContaining('shown')]);
  });

  test('runs those of a page of the service', async () => {
    expect(await open('pages', 'text/html')).toEqual(['yes', expect.stringContaining('shown')]);
  });
});
