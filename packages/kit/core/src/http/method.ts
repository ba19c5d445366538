/** Whether a request of the method changes nothing (RFC 9110 §9.2.1, RFC 10008 §2). */
export function isSafe(method: string): boolean {
  return /^(GET|HEAD|OPTIONS|TRACE|QUERY)$/.test(method);
}
