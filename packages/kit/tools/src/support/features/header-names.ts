/** A name of a header (RFC 9110 §5.6.2). */
export const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/;
