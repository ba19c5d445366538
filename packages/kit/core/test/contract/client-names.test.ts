import { clientNames } from '../../src/contract/client-names.ts';

test('the name of a service becomes names in code and in the environment', () => {
  expect(clientNames('my--shop')).toMatchObject({
    factory: 'createMyShop',
    keyVariable: 'MY_SHOP_API_KEY',
    baseUrlVariable: 'MY_SHOP_BASE_URL',
  });
});
