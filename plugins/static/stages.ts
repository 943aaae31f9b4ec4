/** Measures the duration of each stage. */
export class Stages {
  readonly ms: Record<string, number> = {};

  async time<T>(name: string, work: () => Promise<T> | T): Promise<T> {
    const from = performance.now();
    try {
      return await work();
    } finally {
      this.ms[name] = Math.round((this.ms[name] ?? 0) + performance.now() - from);
    }
  }
}
