import { startTestService } from './support/service.ts';

test.each([true, false])(
  'each cancelled order is counted once, and logged if LOG_CANCELS is %s',
  async (isLogged) => {
    const service = await startTestService({ settings: { LOG_CANCELS: isLogged } });
    await service.addOrders([{ id: 1 }, { id: 2, status: 'shipped' }]);
    const { key, id } = await service.keyWithId();
    for (const order of [1, 1, 2, 3])
      await service.request(`/v1/store/orders/${order}`, { method: 'DELETE', key });
    expect(await (await service.request('/metrics')).text()).toContain(
      '\npetstore_orders_cancelled_total 1\n',
    );
    const line = expect.objectContaining({ msg: 'order cancelled', orderId: 1, keyId: id }) as unknown;
    expect(service.logged.filter(({ msg }) => msg === 'order cancelled')).toEqual(isLogged ? [line] : []);
  },
);
