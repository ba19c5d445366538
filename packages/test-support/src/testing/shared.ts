/** The result of `start`, shared by the surrounding tests. Available in later `beforeAll` hooks. */
export function shared<Thing extends object>(start: () => Promise<Thing>): Thing {
  const thing = {} as Thing;
  beforeAll(async () => void Object.assign(thing, await start()));
  return thing;
}

/** One service for all tests of the suite, with a key that is never used up. */
export function sharedWithKey<Service extends { unlimitedKey(): Promise<string> }>(
  start: () => Promise<Service>,
): Service & { readonly suiteKey: string } {
  return shared(async () => {
    const service = await start();
    return { ...service, suiteKey: await service.unlimitedKey() };
  });
}
