import { operations, type Operation } from '@petstore/contract';

/** `cancelOrder`, to be made what no operation of the contract is yet; after each test it is as it was. */
export const altered: { -readonly [Part in keyof Operation]: Operation[Part] } = operations.cancelOrder;
const before = { ...altered };
afterEach(() => {
  for (const name of Object.keys(altered)) delete altered[name as keyof Operation];
  Object.assign(altered, before);
});
