/** A name of a header (RFC 9110 §5.6.2). */
export const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/;

/**
 * Headers that OpenAPI leaves to others (§4.8.12.1), that belong to the connection, that browsers do not let pages set, or
 * that `fetch` and proxies send by themselves, so that a handler could not tell what the caller meant.
 */
export const NOT_FOR_CALLERS =
  /^(accept|accept-(charset|encoding|language)|access-control-.*|authorization|cache-control|connection|content-.*|cookie2?|date|dnt|expect|forwarded|host|keep-alive|origin|pragma|priority|proxy-.*|referer|sec-.*|set-cookie|te|trailer|transfer-encoding|upgrade|upgrade-insecure-requests|user-agent|via|x-forwarded-.*|x-real-ip|x-request-id)$/i;
