// Type-checked here, and against the packed package with several versions and settings of TypeScript.
import {
  ApiError,
  createPetstore,
  RateLimitError,
  type Call,
  type CallOptions,
  type Environment,
  type ErrorBody,
  type ErrorCode,
  type ErrorDetails,
  type ListOrdersReply,
  type Order,
  type Pet,
  type PetstoreMethods,
  type RateLimit,
} from '@petstore/client';
import { streamOrders } from '@petstore/client/stream';
import { createFakePetstore } from '@petstore/client/testing';

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
declare function is<Expected>(): {
  exactly<Actual>(actual: Actual, ...proof: Equal<Actual, Expected> extends true ? [] : [never]): void;
};

/** The codes that a type names, among any others. */
type Named<Code> = Code extends unknown ? (string extends Code ? never : Code) : never;
declare function names<Code>(): {
  in<Actual>(actual: Actual, ...proof: Code extends Named<Actual> ? [] : [never]): void;
};

const { fetch } = createFakePetstore({
  answers: { listOrders: { body: [{ id: 1 }] }, cancelOrder: 'order_already_shipped' },
  plan: 'free',
});
const petstore = createPetstore({ apiKey: 'pst_test', fetch });

export async function calls(): Promise<void> {
  is<Order[]>().exactly(await petstore.listOrders());
  is<undefined>().exactly(await petstore.cancelOrder({ orderId: 1 }));
  is<Pet>().exactly(await petstore.getPet({ petId: 1n }));
  await petstore.cancelOrder({ orderId: '9007199254740993' }, { signal: AbortSignal.timeout(1), budget: 1 });
  for (const { id } of await petstore.listOrders({}, { maxAttempts: 1, timeout: 5 }))
    if (id !== undefined) await petstore.cancelOrder({ orderId: id });
  is<Pet>().exactly(await petstore.withOptions({ timeout: 5 }).getPet({ petId: 1 }));
  for await (const order of streamOrders(petstore)) is<Order>().exactly(order);
  is<Response>().exactly(await petstore.fetch('/status'));
}

export function mistakes(): void {
  // @ts-expect-error -- there is no such operation
  void petstore.noSuchOperation;
  // @ts-expect-error -- there is no such parameter
  void petstore.listOrders({ page: 2 });
  // @ts-expect-error -- the parameter is required
  void petstore.cancelOrder();
  // @ts-expect-error -- the parameter is required
  void petstore.cancelOrder({});
  // @ts-expect-error -- the parameter has another name
  void petstore.cancelOrder({ id: 1 });
  // @ts-expect-error -- there is no such parameter
  void petstore.cancelOrder({ orderId: 1, force: true });
  // @ts-expect-error -- not an id
  void petstore.cancelOrder({ orderId: true });
  // @ts-expect-error -- the contract has no such server
  createPetstore({ apiKey: 'pst_test', environment: 'moon' });
  // @ts-expect-error -- there is no such option
  createPetstore({ apiKey: 'pst_test', retries: 3 });
  // @ts-expect-error -- an id that may be undefined
  void petstore.cancelOrder({ orderId: undefined });
}

export async function replies(): Promise<void> {
  const reply = await petstore.cancelOrder({ orderId: 1 }).reply();
  is<RateLimit | undefined>().exactly(reply.rateLimit);
  is<204 | 400 | 401 | 404 | 409 | 429 | 500 | 503>().exactly(reply.status);
  // @ts-expect-error -- the contract declares no 418
  if (reply.status === 418) return;
  // @ts-expect-error -- a 204 has no such header
  if (reply.status === 204) void reply.headers['Retry-After'];
  if (reply.status === 204) is<undefined>().exactly(reply.body);
  if (reply.status === 429) is<number | undefined>().exactly(reply.headers['Retry-After']);
  if (reply.status === 404) is<ErrorBody<'order_not_found', 404>>().exactly(reply.body);
  if (reply.status === 401) is<string | undefined>().exactly(reply.headers['WWW-Authenticate']);
}

export function errors(error: unknown): void {
  if (!(error instanceof ApiError)) return;
  if (error.status === 409) names<'order_already_shipped'>().in(error.code);
  // @ts-expect-error -- a code of another status
  if (error.status === 409) names<'order_not_found'>().in(error.code);
  if (error.status === 402) is<string | undefined>().exactly(error.body?.message);
  if (error.code === 'a_code_of_tomorrow') return;
  if (error instanceof RateLimitError) is<429>().exactly(error.status);
  if (error instanceof RateLimitError) is<number>().exactly(error.retryAfter);
}

export const environments: readonly Environment[] = ['production', 'staging', 'local'];
export const known: ErrorCode = 'order_already_shipped';

export async function doubles(): Promise<void> {
  const double: PetstoreMethods<'listOrders'> = { listOrders: () => Promise.resolve([{ id: 1 }]) };
  is<Order[]>().exactly(await double.listOrders({}, { budget: 1 }));
  const client: PetstoreMethods = petstore;
  is<Pet>().exactly(await client.getPet({ petId: 1 }));
  for await (const order of streamOrders(double)) is<Order>().exactly(order);
  // @ts-expect-error -- an order has no such field
  void streamOrders({ listOrders: () => Promise.resolve([{ name: 'Rex' }]) });
}

export async function results(): Promise<void> {
  const { data, error, response } = await petstore.listOrders().result();
  is<Response>().exactly(response);
  if (!error) return is<Order[]>().exactly(data);
  is<undefined>().exactly(data);
  if (error instanceof ApiError && error.status === 429)
    names<'rate_limit_exceeded' | 'api_key_banned'>().in(error.code);
}

/** The status alone narrows a reply. */
export function narrowed(reply: ListOrdersReply): void {
  if (reply.status !== 200) return is<string>().exactly(reply.body.message);
  is<Order[]>().exactly(reply.body);
  is<number | undefined>().exactly(reply.headers['X-RateLimit-Remaining']);
}

export const options: CallOptions = { cache: 'no-store', next: { revalidate: 60 }, priority: 'low' };
export const withoutInput: Call<Order[], ListOrdersReply> = petstore.listOrders(options);
export const details: ErrorDetails = { code: 'timeout', attempts: 1 };
