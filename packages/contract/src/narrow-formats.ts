/** The shapes of RFC 3339 §5.6 and RFC 9562 §4: ajv-formats takes other separators, offsets and prefixes too. */
const SHAPES: Readonly<Record<string, RegExp>> = {
  'date-time': /^[\d-]{10}t[\d:.]+(z|[+-]\d\d:\d\d)$/i,
  time: /^[\d:.]+(z|[+-]\d\d:\d\d)$/i,
  uuid: /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i,
};

type Check = (text: string) => boolean;

/** Lets `ajv`, which has the formats of ajv-formats, take only what the standards of those formats do. */
export function narrowFormats(ajv: {
  readonly formats: Readonly<Record<string, unknown>>;
  readonly addFormat: (name: string, check: Check) => unknown;
}): void {
  for (const [name, shape] of Object.entries(SHAPES)) {
    const { validate } = ajv.formats[name] as { readonly validate?: Check };
    ajv.addFormat(name, (text) => shape.test(text) && validate?.(text) !== false);
  }
}
