import { join } from "node:path";
import lockfile from "proper-lockfile";
import { cacheFolder } from "./cache-folder.js";

/** Runs `work` while no other process on this machine runs work of the same name. */
export async function oneAtATime<T>(name: string, work: () => Promise<T>): Promise<T> {
  const release = await lockfile.lock(cacheFolder("locks"), {
    lockfilePath: join(cacheFolder("locks"), `${name.replaceAll("/", "+")}.lock`),
    stale: 20_000,
    retries: { retries: 600, factor: 1, minTimeout: 500 },
  });
  try {
    return await work();
  } finally {
    await release();
  }
}
