export interface Progress {
  start(total: number): void;
  update(done: number): void;
}
