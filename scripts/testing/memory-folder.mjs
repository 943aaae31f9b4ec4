import { chmodSync, mkdirSync, mkdtempSync, rmSync, statfsSync, symlinkSync } from "node:fs";
import { freemem, tmpdir } from "node:os";
import { join } from "node:path";

const shared = "/dev/shm";
const minFreeBytes = 4 * 1024 ** 3;

/**
 * A folder in memory for the temporary files of a run; null on other systems and with little memory.
 * Thousands of sites are written there, and would wait for the disk at every save. It is deleted when
 * this process ends, with what killed tests have left.
 */
export function memoryFolder() {
  if (!hasRoom()) return null;
  const folder = mkdtempSync(join(shared, "site-tests-"));
  // PostgreSQL runs as another user, who has to get through.
  chmodSync(folder, 0o711);
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));
  // The compiled sources of earlier runs: tsx keeps them in the temporary folder.
  const compiled = `tsx-${process.geteuid()}`;
  mkdirSync(join(tmpdir(), compiled), { recursive: true });
  symlinkSync(join(tmpdir(), compiled), join(folder, compiled));
  return folder;
}

function hasRoom() {
  try {
    const { bavail, bsize } = statfsSync(shared);
    return Math.min(bavail * bsize, freemem()) > minFreeBytes;
  } catch {
    return false;
  }
}
