import { library } from './library/library.ts';
import { createTestTools } from './support/tools.ts';

const warningsWith = async (generator: string) => {
  const { messages } = await createTestTools({
    ...library,
    contract: { ...library.contract, generator },
  }).startTestService();
  return messages('contract-kit');
};

test('a service warns of code that another minor version of the kit generated', async () => {
  expect(await warningsWith(library.contract.generator)).toEqual([]);
  expect(await warningsWith('0.999.0')).toEqual([
    expect.stringMatching(/0\.999\.0 generated the code: run `npm run generate`$/),
  ]);
});
