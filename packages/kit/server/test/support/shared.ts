/** What `start` starts, for all tests around it: there from the first `beforeAll` after it on. */
export function shared<Thing extends object>(start: () => Promise<Thing>): Thing {
  const thing = {} as Thing;
  beforeAll(async () => void Object.assign(thing, await start()));
  return thing;
}
