/** Told how far a long piece of work is; the terminal shows it. */
export interface Progress {
  start(total: number): void;
  /** `done` of the total that it started with. */
  update(done: number): void;
}
