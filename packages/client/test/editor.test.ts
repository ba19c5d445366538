import ts from 'typescript';
import { installPacked, type Installed } from '@contract-kit/test-support';

const source = `import { ApiError, createPetstore } from '@petstore/client';
const petstore = createPetstore({ apiKey: 'pst_test' });
const pet = petstore.getPet({ petId: 1 });
petstore.cancelOrder({ orderId: 1 });
const orders = await petstore.listOrders();
const order = orders[0];
const ship = order?.shipDate;
petstore.listOrders({ budget: 1 });
const reply = await petstore.listOrders().reply();
reply.headers['X-RateLimit-Remaining'];
if (reply.status === 401) reply.headers['WWW-Authenticate'];
const refused = await petstore.cancelOrder({ orderId: 3 }).reply();
if (refused.status === 409) refused.body.message;
export const isGone = (error: unknown) => error instanceof ApiError && error.status === 404 && error.code === '';
`;

let installed: Installed;
let service: ts.LanguageService;
let file: string;

beforeAll(() => {
  installed = installPacked('packages/client');
  file = installed.write('use.mts', source);
  const options: ts.CompilerOptions = {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'],
    types: [],
    strict: true,
  };
  service = ts.createLanguageService({
    ...ts.sys,
    useCaseSensitiveFileNames: () => ts.sys.useCaseSensitiveFileNames,
    getCompilationSettings: () => options,
    getScriptFileNames: () => [file],
    getScriptVersion: () => '1',
    getScriptSnapshot(name) {
      const text = ts.sys.readFile(name);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getCurrentDirectory: () => installed.folder,
    getDefaultLibFileName: (settings) => ts.getDefaultLibFilePath(settings),
  });
});
afterAll(() => installed.remove());

/** The text that an editor shows when hovering over the first `word` of the source. */
function hover(word: string): string {
  const info = service.getQuickInfoAtPosition(file, source.indexOf(word));
  return [
    ts.displayPartsToString(info?.displayParts),
    ts.displayPartsToString(info?.documentation),
    ...(info?.tags ?? []).map(({ name, text }) => `@${name} ${ts.displayPartsToString(text)}`),
  ].join('\n');
}

test('the source compiles', () => {
  const problems = [...service.getSyntacticDiagnostics(file), ...service.getSemanticDiagnostics(file)];
  expect(problems.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))).toEqual([]);
});

test('a deprecated call is struck through, and shows its last day', () => {
  const struck = service
    .getSuggestionDiagnostics(file)
    .filter(({ reportsDeprecated }) => reportsDeprecated)
    .map(({ start, length }) => source.slice(start, start + length));
  expect(struck).toEqual(['getPet']);
  expect(hover('getPet')).toContain('goes away on 2027-06-30');
});

const methods = '(method) Petstore';

test.each([
  ['cancelOrder', 'Cancelling is idempotent'],
  ['cancelOrder', `${methods}.cancelOrder(input: CancelOrderInput, options?: CallOptions): Call<undefined`],
  ['listOrders', `${methods}.listOrders(input?: CallOptions, options?: CallOptions): Call<Order[]`],
  ['orders', 'const orders: Order[]'],
  ['body', 'body: ErrorBody<"order_already_shipped", 409>'],
  ['orderId', 'Identifier of the order to cancel.'],
  ['shipDate', 'Expected or actual ship date'],
  ["'X-RateLimit-Remaining'", 'Requests remaining in the current window.'],
  ["'WWW-Authenticate'", 'the error of an invalid token'],
  ['message', 'Human-readable description of the error.'],
  ['code', '"order_not_found"'],
  ['budget', 'Milliseconds for the whole call'],
])('hovering over %s shows its type and description: %s', (word, description) => {
  expect(hover(word)).toContain(description);
});

test('signature help describes the method and each parameter', () => {
  const position = source.indexOf('cancelOrder(') + 'cancelOrder('.length;
  const [help] = service.getSignatureHelpItems(file, position, undefined)?.items ?? [];
  expect(ts.displayPartsToString(help?.documentation)).toContain('Cancel an order');
  expect(help?.parameters.map(({ documentation }) => ts.displayPartsToString(documentation))).toEqual([
    expect.stringContaining('Identifier of the order to cancel.'),
    expect.stringMatching(/./),
  ]);
});

test('completes a compared code with the known codes', () => {
  const position = source.indexOf("''") + 1;
  const offered = service.getCompletionsAtPosition(file, position, {})?.entries.map(({ name }) => name);
  expect(offered).toEqual(expect.arrayContaining(['order_not_found', 'pet_not_found', 'not_found']));
  expect(offered).not.toContain('api_key_banned');
});
