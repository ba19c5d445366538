/** The environment, or a part of it. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** How the text of a variable is read. */
export interface Setting<Value = unknown> {
  /** The value of the text; undefined if it is wrong. */
  readonly parse: (text: string) => Value | undefined;
  /** What the text must be, to complete the message "NAME must be …". */
  readonly want: string;
  /** The default text of an unset or empty variable. Without it the setting is undefined. */
  readonly fallback?: string;
  readonly isRequired?: boolean;
  /** Whether its value is never shown. */
  readonly isSecret?: boolean;
}

/** A setting of a service, made by `text`, `secret`, `integer`, `url` or `flag`. */
export interface ServiceSetting<Value = unknown> extends Setting<Value> {
  readonly description: string;
}

/** The settings of a service, by the names of their environment variables. */
export type ServiceSettings = Readonly<Record<string, ServiceSetting>>;

/** The values of settings, such as `SettingsOf<typeof settings>`. */
export type SettingsOf<Settings extends ServiceSettings> = {
  readonly [Name in keyof Settings]: Settings[Name] extends ServiceSetting<infer Value> ? Value : never;
};

interface Options<Value> {
  /** What it means, in Markdown, for `--help` and docs/configuration.md. */
  readonly description?: string;
  /** The value of an unset or empty variable. Without it, and without `optional`, the variable is required. */
  readonly default?: Value;
  /** Whether the value may be undefined. */
  readonly optional?: boolean;
}

type ValueOf<Value, Given> = Given extends { readonly optional: true } ? Value | undefined : Value;

function setting<Value, Given extends Options<Value>>(
  { parse, want }: Setting<Value>,
  { description = '', default: value, optional = false }: Options<Value> = {},
): ServiceSetting<ValueOf<Value, Given>> {
  const fallback = value === undefined ? {} : { fallback: String(value) };
  return { parse, want, description, ...fallback, isRequired: value === undefined && !optional };
}

/**
 * Any text.
 *
 * @example
 * SHOP_NAME: text({ default: 'Shop', description: 'name in mails' })
 */
export function text<const Given extends Options<string> = {}>(options?: Given) {
  return setting<string, Given>({ parse: (value) => value, want: 'a text' }, options);
}

/** A shorter secret would be easy to guess, and `[secret]` in its place would make the log unreadable. */
const SHORTEST_SECRET = 8;

/**
 * A text of at least 8 characters that is never shown: the log and error messages have `[secret]` in its place.
 *
 * @example
 * STRIPE_KEY: secret({ description: 'key of the payment provider' })
 */
export function secret<const Given extends Omit<Options<string>, 'default'> = {}>(options?: Given) {
  const parse = (value: string) => (value.length >= SHORTEST_SECRET ? value : undefined);
  const want = `a text of at least ${SHORTEST_SECRET} characters`;
  return { ...setting<string, Given>({ parse, want }, options), isSecret: true };
}

/**
 * A whole number from `min` to `max`, by default any that is exact.
 *
 * @example
 * REMINDER_DAYS: integer({ min: 1, max: 90, default: 14 })
 */
export function integer<
  const Given extends Options<number> & { readonly min?: number; readonly max?: number } = {},
>(options?: Given) {
  const { min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER } = options ?? {};
  return setting<number, Given>(wholeNumber(min, max), options);
}

/**
 * An absolute URL, as it is written.
 *
 * @example
 * WEBHOOK_URL: url({ optional: true, description: 'gets each payment' })
 */
export function url<const Given extends Options<string> = {}>(options?: Given) {
  const parse = (value: string) => (URL.canParse(value) ? value : undefined);
  return setting<string, Given>({ parse, want: 'a URL such as https://example.com' }, options);
}

/**
 * `true` or `false`, by default false.
 *
 * @example
 * SEND_MAILS: flag({ description: 'whether invoices are sent' })
 */
export function flag<const Given extends Omit<Options<boolean>, 'optional'> = {}>(options?: Given) {
  const parse = (value: string) => (value === 'true' || value === 'false' ? value === 'true' : undefined);
  return setting<boolean, Given>({ parse, want: '`true` or `false`' }, { default: false, ...options });
}

/** Accepts decimal digits only, not `1e3`, `0x10` or ` 80`. */
export function wholeNumber(min: number, max: number): Setting<number> {
  const parse = (value: string): number | undefined => {
    const number = /^(?:\d+|-[1-9]\d*)$/.test(value) ? Number(value) : Number.NaN;
    return number >= min && number <= max ? number : undefined;
  };
  return { parse, want: `a whole number from ${min} to ${max}` };
}

/** The value of the variable `name`. Adds to `mistakes` if it is wrong or missing. */
export function readSetting(
  name: string,
  { parse, want, fallback, isRequired, isSecret }: Setting,
  env: Environment,
  mistakes: string[],
): unknown {
  const given = env[name] || fallback;
  if (given === undefined) {
    if (isRequired) mistakes.push(`${name} is missing: it must be ${want}`);
    return undefined;
  }
  const value = parse(given);
  if (value === undefined) {
    const shown = isSecret || !isHarmless(given) ? '' : `, not ${JSON.stringify(given)}`;
    mistakes.push(`${name} must be ${want}${shown}`);
  }
  return value;
}

/** Whether a message may repeat a value: a long one, or one with an address, may hold a password. */
function isHarmless(value: string): boolean {
  return value.length <= 40 && !/[@/\\%]/.test(value);
}
