/** V8 starts to collect when external memory has grown by more than 64 MB since the last collection. */
const BYTES = 96 * 1024 * 1024;

/**
 * Caches that share values become idle shortly after each other: a collection that runs meanwhile
 * keeps what the second one drops, and is over after this time, in ms.
 */
const DELAY_MS = 1_000;

/**
 * Starts an incremental garbage collection soon. An idle process allocates nothing, so V8 would keep
 * dropped values until the next busy time. The buffer is never written, so it takes no memory, but
 * its size counts.
 */
export function requestCollection(): void {
  setTimeout(start, DELAY_MS).unref();
}

function start(): void {
  try {
    void new ArrayBuffer(BYTES).byteLength;
  } catch (error) {
    // Too little address space left; V8 has then collected already.
    if (!(error instanceof RangeError)) throw error;
  }
}
