import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { addPrintingCommand, print, type Feature, type Output } from '@contract-kit/server';
import { handlers } from './handlers.ts';
import { createStore, type Store } from './store.ts';

/** Users log in, and the operator adds them. */
export const feature: Feature<Store, ReturnType<typeof handlers>> = {
  migrations: path.join(import.meta.dirname, 'migrations'),
  open: createStore,
  handlers,
  commands(program, withStore) {
    const group = program.command('users').description('add users');
    addPrintingCommand(group, 'add', 'add a user, or change one, and print a new password')
      .argument('<name>')
      .argument('<tenants...>')
      .action(async (name: string, tenants: string[], options: Output) => {
        const password = randomBytes(12).toString('base64url');
        await withStore((store) => store.put({ name, tenants }, password), { mayCreate: true });
        print(options, { name, tenants, password }, `The password of ${name} is ${password}`);
      });
  },
};
