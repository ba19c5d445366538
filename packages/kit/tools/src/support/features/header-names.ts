/** A name of a header (RFC 9110 §5.6.2). */
export const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/;

/** Headers that a handler could not tell from what the connection, browsers, `fetch` and proxies send. */
export const NOT_FOR_CALLERS =
  /^(accept|accept-(charset|encoding|language)|access-control-.*|authorization|cache-control|connection|content-.*|cookie2?|date|dnt|expect|forwarded|host|keep-alive|origin|pragma|priority|proxy-.*|referer|sec-.*|set-cookie|te|trailer|transfer-encoding|upgrade|upgrade-insecure-requests|user-agent|via|x-forwarded-.*|x-real-ip|x-request-id)$/i;
