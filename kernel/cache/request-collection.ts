/** V8 starts to collect when external memory has grown by more than 64 MB since the last collection. */
const BYTES = 96 * 1024 * 1024;

/** Several caches become idle shortly after each other, and may share values. */
const DELAY_MS = 1_000;
let timer: NodeJS.Timeout | null = null;

/**
 * Starts an incremental garbage collection soon. An idle process allocates nothing, so V8 would keep
 * dropped values until the next busy time. The buffer is never written, so it takes no memory, but
 * its size counts.
 */
export function requestCollection(): void {
  if (timer !== null) clearTimeout(timer);
  timer = setTimeout(start, DELAY_MS).unref();
}

function start(): void {
  timer = null;
  try {
    void new ArrayBuffer(BYTES).byteLength;
  } catch (error) {
    // Too little address space left; V8 has then collected already.
    if (!(error instanceof RangeError)) throw error;
  }
}
