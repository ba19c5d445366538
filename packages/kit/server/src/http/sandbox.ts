import { essenceOf, isJson, matching } from '@contract-kit/core/http';

/** Types that a browser shows as pages, which may have scripts: HTML, every kind of XML such as SVG, and parts that are pages. */
const PAGE = /^(text\/(html|xml|xsl)|application\/xml|multipart\/.*|.*\+xml)$/;
/** A picture that a request brings as text. */
const SVG = 'image/svg+xml';
/** Its scripts are none of a page, and Chromium shows none that is in a sandbox. */
const PDF = 'application/pdf';

/**
 * Whether a browser must run no scripts of a body of the media type `type`: whoever uploads such a file would act as those
 * who open it. `declared` are the media types in the contract. A text of a type that they name is the service's own page.
 */
export function needsSandbox(type: string, declared: readonly string[], isText: boolean): boolean {
  const essence = essenceOf(type);
  if (isJson(essence) || essence === PDF) return false;
  if (essence === SVG || (!isText && PAGE.test(essence))) return true;
  // Perhaps the sender of the body has chosen its type.
  return (
    matching(
      declared.map((item) => ({ type: item })),
      type,
    )?.type.includes('*') === true
  );
}
