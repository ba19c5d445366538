import { contractAjv, isNearName } from '@contract-kit/core/json';
import { walk, type Problem, type SourceDocument } from '@contract-kit/core/openapi';

/** Formats of the OpenAPI registry (spec.openapis.org/registry/format) that are not validated. */
const REGISTERED = (
  'base64url char commonmark date-time-local decimal decimal128 double-int html http-date idn-email idn-hostname ' +
  'int8 int16 iri iri-reference media-range sf-binary sf-boolean sf-decimal sf-integer sf-string sf-token ' +
  'time-local uint8 uint16 uint32 uint64 unixtime'
).split(' ');

const KNOWN = [...new Set([...Object.keys(contractAjv().formats), ...REGISTERED])];

const squeezed = (name: string) => name.toLowerCase().replaceAll(/[-_\s]/g, '');

/** In a shorter name one letter makes another word: `urn` is not `uri`, and `ulid` is not `uuid`. */
const SHORT = 4;

/** The format that an unknown one is probably meant to be: `date-time` for `datetime`, `uuid` for `uuid4`. */
function meantBy(name: string): string | undefined {
  if (KNOWN.includes(name)) return undefined;
  const written = squeezed(name);
  const isNear = (known: string) =>
    isNearName(written, known) && (squeezed(known).length > SHORT || written.startsWith(squeezed(known)));
  return KNOWN.find((known) => squeezed(known) === written) ?? KNOWN.find(isNear);
}

/** Finds misspelt formats: an unknown format is ignored, so its values would not be validated. */
export function checkFormats(contract: SourceDocument): Problem[] {
  return walk(contract.document).nodes.flatMap(({ kind, value, pointer }) => {
    const { format } = value;
    if (kind !== 'Schema' || typeof format !== 'string') return [];
    const meant = meantBy(format);
    if (meant === undefined) return [];
    const message = `the format ${format} is not known: did you mean ${meant}?`;
    return [contract.problemWrittenAt([...pointer, 'format'], message)];
  });
}
