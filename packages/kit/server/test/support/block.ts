/** Blocks the event loop for `milliseconds`, without using CPU time. */
export function block(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}
