/* How a value of SQLite becomes one of PostgreSQL, exactly or not at all. */

/** The reason why PostgreSQL cannot hold a value. */
export class NotStorable extends Error {}

/** The class in which SQLite stores a value. */
export type StorageClass = 'null' | 'integer' | 'real' | 'text' | 'blob';

/** The smallest and largest value of an integer type. */
const INTEGERS: Readonly<Record<string, readonly [bigint, bigint]>> = {
  smallint: [-(2n ** 15n), 2n ** 15n - 1n],
  integer: [-(2n ** 31n), 2n ** 31n - 1n],
  bigint: [-(2n ** 63n), 2n ** 63n - 1n],
};
const FLOATS = ['real', 'double precision'];

/**
 * The text that PostgreSQL reads as this value of the type `type`. An integer comes as decimal digits, a text as UTF-8.
 * Throws NotStorable.
 */
export function postgresText(storage: StorageClass, value: unknown, type: string): string | null {
  switch (storage) {
    case 'null':
      return null;
    case 'integer':
      return integerText(BigInt(value as string), type);
    case 'real':
      return realText(value as number, type);
    case 'text':
      return utf8Text(value as Uint8Array, type);
    case 'blob':
      if (type !== 'bytea') throw new NotStorable(`is a BLOB, and the column there is of the type ${type}`);
      return `\\x${Buffer.from(value as Uint8Array).toString('hex')}`;
  }
}

function integerText(value: bigint, type: string): string {
  const range = INTEGERS[type];
  if (range) {
    if (value < range[0] || value > range[1])
      throw new NotStorable(`is ${value}, which is out of range for ${type}`);
    return String(value);
  }
  if (type === 'boolean' && (value === 0n || value === 1n)) return value === 1n ? 'true' : 'false';
  if (type === 'numeric' || (FLOATS.includes(type) && BigInt(Number(value)) === value)) return String(value);
  throw new NotStorable(`is the integer ${value}, which ${type} cannot hold`);
}

function realText(value: number, type: string): string {
  const text = Object.is(value, -0) ? '-0' : String(value);
  if (INTEGERS[type] && Number.isInteger(value)) return integerText(BigInt(value), type);
  if (FLOATS.includes(type) || (type === 'numeric' && Number.isFinite(value))) return text;
  throw new NotStorable(`is the number ${text}, which ${type} cannot hold`);
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function utf8Text(bytes: Uint8Array, type: string): string {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    throw new NotStorable('has bytes that are not UTF-8');
  }
  if (text.includes('\0')) throw new NotStorable('has a U+0000, which PostgreSQL cannot store');
  if (type === 'boolean' || type === 'bytea' || INTEGERS[type] || FLOATS.includes(type))
    throw new NotStorable(`is a text, and the column there is of the type ${type}`);
  return text;
}

/** One form for all texts that mean the same value of the type `type`. */
export function canonicalText(text: string, type: string): string {
  switch (type) {
    case 'real':
    case 'double precision':
      return text === '-0' ? text : String(Number(text));
    case 'numeric':
      return canonicalDecimal(text);
    case 'uuid':
      return text.toLowerCase();
    case 'timestamp with time zone':
      return canonicalInstant(text);
    case 'timestamp without time zone':
      // A zone other than UTC would be dropped: then the texts differ.
      return canonicalTime(text).replace(/(?:Z|\+00(?::?00)?)$/i, '');
    case 'time without time zone':
      return canonicalTime(text);
    case 'jsonb':
      return canonicalJson(text);
    default:
      return text;
  }
}

/** Such as `12e-1` for `1.20`. */
function canonicalDecimal(text: string): string {
  const [, sign, whole = '', fraction = '', exponent = '0'] =
    /^([+-]?)(\d*)\.?(\d*)(?:e([+-]?\d+))?$/i.exec(text) ?? [];
  if (sign === undefined) return text;
  const digits = (whole + fraction).replace(/^0+/, '');
  const shortest = digits.replace(/0+$/, '');
  if (shortest === '') return '0';
  const power = Number(exponent) - fraction.length + digits.length - shortest.length;
  return `${sign === '-' ? '-' : ''}${shortest}e${power}`;
}

/** Without a T, and without zeros at the end of the fraction of a second. */
function canonicalTime(text: string): string {
  return text
    .replace(/^(\d+-\d\d-\d\d)T/i, '$1 ')
    .replace(/(\d\d:\d\d)(?!:|\d)/, '$1:00')
    .replace(/(:\d\d)\.(\d*?)0*(?!\d)/, (_, seconds: string, rest: string) =>
      rest ? `${seconds}.${rest}` : seconds,
    );
}

/** The seconds since 1970, with all digits of the fraction. Without a zone the text is in UTC. */
function canonicalInstant(text: string): string {
  const [, time = '', seconds = '00', fraction = '', zone = 'Z'] =
    /^(\d{4}-\d\d-\d\d[T ]\d\d:\d\d)(?::(\d\d)(?:\.(\d+))?)? ?(Z|[+-]\d\d(?::?\d\d)?)?$/i.exec(text) ?? [];
  const offset = zone.replace(/^([+-]\d\d)$/, '$1:00').replace(/^([+-]\d\d)(\d\d)$/, '$1:$2');
  const instant = Date.parse(`${time.replace(' ', 'T')}:${seconds}${offset.toUpperCase()}`);
  return Number.isNaN(instant) ? text : `${instant / 1_000}.${fraction.replace(/0+$/, '')}`;
}

/** Sorts the members of objects: PostgreSQL changes their order. */
function canonicalJson(text: string): string {
  return JSON.stringify(JSON.parse(text), (_, value: unknown) =>
    value !== null && typeof value === 'object' && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
      : value,
  );
}
