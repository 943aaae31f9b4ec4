/**
 * The one time limit: what the work resolves with; when it takes longer than `ms`, what `late` returns
 * or throws. The work itself goes on; its late outcome is ignored.
 */
export async function within<T, L>(ms: number, work: Promise<T>, late: () => L): Promise<T | L> {
  const timers: NodeJS.Timeout[] = [];
  const limit = new Promise<void>((resolve) => void timers.push(setTimeout(resolve, ms)));
  try {
    return await Promise.race([work, limit.then(late)]);
  } finally {
    timers.forEach((timer) => clearTimeout(timer));
  }
}
