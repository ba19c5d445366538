import { flag, integer, runCommand, secret, text, url } from '../../src/index.ts';
import type { AnyHandler } from '../../src/pipeline/dispatch.ts';
import { library } from './library.ts';

/* The library's command with settings, and with a handler that logs more than it should. */

export const settings = {
  PROVIDER_KEY: secret({ description: 'key of the payment provider' }),
  REMINDER_DAYS: integer({ min: 1, max: 90, default: 14, description: 'days until a reminder' }),
  WEBHOOK_URL: url({ optional: true, description: 'gets each loan' }),
  SHOP_NAME: text({ description: 'name in mails' }),
  SEND_MAILS: flag({ description: 'whether mails are sent' }),
};

const { loans, others } = library.features;

export const libraryWithSettings = {
  ...library,
  settings,
  features: {
    others,
    loans: {
      ...loans,
      handlers: (services: Parameters<typeof loans.handlers>[0]) => ({
        ...loans.handlers(services),
        listLoans: ((_input, { log, headers }) => {
          const { settings: values } = services as { settings: { PROVIDER_KEY: string } };
          log.info({ headers, values }, 'everything');
          throw new Error(`the provider rejects ${values.PROVIDER_KEY}`);
        }) satisfies AnyHandler,
      }),
      commands: ((program, withStore) => {
        program.command('reminders').action(() =>
          withStore((_store, { settings: values }) => Promise.resolve(console.log(JSON.stringify(values))), {
            mayCreate: true,
          }),
        );
        program.command('crash').action(() => {
          throw new Error(`the provider rejects ${process.env['PROVIDER_KEY']}`);
        });
      }) satisfies typeof loans.commands,
    },
  },
};

if (process.argv[1] === import.meta.filename) await runCommand(libraryWithSettings);
